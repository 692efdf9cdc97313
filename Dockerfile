# The commands robots-conformance and robots, for CI that runs in containers:
#
#   docker run --rm --volume "$PWD:/work" ghcr.io/owner.invalid/robots-conformance:0.1.0 run --subject ./subject
#   docker run --rm --volume "$PWD:/work" --entrypoint robots ghcr.io/owner.invalid/robots-conformance:0.1.0 lint robots.txt
#
# Each command is one static file. If the tested program needs an interpreter, copy the file into an image that has it:
#
#   COPY --from=ghcr.io/owner.invalid/robots-conformance:0.1.0 /usr/local/bin/robots-conformance /usr/local/bin/
FROM rust:1.89.0-alpine3.22 AS build
WORKDIR /source
RUN apk add --no-cache build-base=0.5-r3
COPY . .
RUN cargo build --release --locked --package robots-conformance-cli --package robots-cli \
 && strip target/release/robots-conformance target/release/robots

FROM alpine:3.22.1
COPY --from=build /source/target/release/robots-conformance /source/target/release/robots /usr/local/bin/
COPY LICENSE-MIT LICENSE-APACHE /usr/share/licenses/robots-conformance/
RUN adduser -D -u 1000 robots
USER 1000
WORKDIR /work
ENTRYPOINT ["robots-conformance"]
CMD ["--help"]
