import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The protocol for adapters in Java: JSON lines on standard input and output. Start at serve. This class contains no
 * code for a particular peer.
 */
final class Protocol {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private Protocol() {}

    /** Thrown if the peer has no interface for the question; the text gives the reason. */
    static final class Unsupported extends RuntimeException {
        Unsupported(String reason) {
            super(reason);
        }
    }

    /** One question. */
    static final class Question {
        private final JsonObject fields;

        Question(JsonObject fields) {
            this.fields = fields;
        }

        /** The robots.txt, as octets. */
        byte[] octets() {
            return Base64.getDecoder().decode(fields.get("robots_txt").getAsString());
        }

        /** The crawler's product token, for peers that take only one. */
        String token() {
            JsonArray tokens = fields.getAsJsonArray("crawler");
            if (tokens.size() != 1) {
                throw new Unsupported("this parser accepts one product token, not a list");
            }
            return tokens.get(0).getAsString();
        }

        /** The URL as the question contains it. */
        String url() {
            return fields.get("url").getAsString();
        }
    }

    /** The answer to a verdict question. */
    static JsonObject verdict(boolean allowed) {
        return answer("verdict", new JsonPrimitive(allowed ? "allow" : "disallow"));
    }

    /** An answer with one field. */
    static JsonObject answer(String key, JsonElement value) {
        JsonObject answer = new JsonObject();
        answer.add(key, value);
        return answer;
    }

    /** Answers questions until standard input ends. `answers` has a function for each kind that the peer can answer. */
    static void serve(
            String name, String version, List<String> editions, Map<String, Function<Question, JsonObject>> answers)
            throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err); // A peer that prints must not break the protocol.
        JsonObject hello = new JsonObject();
        hello.addProperty("protocol", 1);
        hello.addProperty("name", name);
        hello.addProperty("version", version);
        hello.addProperty("language", "java");
        hello.add("answers", GSON.toJsonTree(answers.keySet()));
        hello.add("editions", GSON.toJsonTree(editions));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject fields = JsonParser.parseString(line).getAsJsonObject();
            String ask = fields.get("ask").getAsString();
            JsonObject reply = ask.equals("hello") ? hello : answer(answers, ask, fields);
            out.print(GSON.toJson(reply) + "\n");
            out.flush();
        }
    }

    private static JsonObject answer(
            Map<String, Function<Question, JsonObject>> answers, String ask, JsonObject fields) {
        JsonObject answer;
        try {
            Function<Question, JsonObject> kind = answers.get(ask);
            if (kind == null) {
                throw new Unsupported("no interface for " + ask + " questions");
            }
            answer = kind.apply(new Question(fields));
        } catch (Unsupported reason) {
            answer = answer("unsupported", new JsonPrimitive(reason.getMessage()));
        } catch (RuntimeException | StackOverflowError error) { // An exception of a peer is its answer.
            answer = answer("error", new JsonPrimitive(error.toString()));
        }
        answer.add("id", fields.get("id"));
        return answer;
    }
}
