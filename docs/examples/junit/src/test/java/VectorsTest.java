import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Asks crawler-commons the questions of RFC 9309; known.txt lists its wrong answers. */
class VectorsTest {
    private final Set<String> known = new HashSet<>();
    private final Map<String, String> says = new HashMap<>();
    private final List<JsonNode> vectors = new ArrayList<>();

    VectorsTest() throws IOException {
        for (String line : Files.readAllLines(Path.of("known.txt"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                known.add(line.split(" ")[0]);
            }
        }
        for (JsonNode item : new ObjectMapper().readTree(Path.of("rfc9309.json").toFile())) {
            if (item.isObject()) {
                vectors.add(item);
            } else { // A comment; most of them have what a requirement says.
                says.put(item.asText().split(":")[0], item.asText());
            }
        }
    }

    private static boolean isAllowed(byte[] robots, String userAgent, String url) {
        String robotsUrl = url.replaceFirst("^([^:]+://[^/?#]*).*", "$1/robots.txt");
        List<String> names = List.of(userAgent.toLowerCase());
        return new SimpleRobotRulesParser().parseContent(robotsUrl, robots, "text/plain", names).isAllowed(url);
    }

    @TestFactory
    Stream<DynamicTest> vectors() {
        return vectors.stream().map(vector -> dynamicTest(vector.get("id").asText(), () -> check(vector)));
    }

    private void check(JsonNode vector) throws IOException {
        String id = vector.get("id").asText();
        String userAgent = vector.get("user_agent").asText();
        String url = vector.get("url").asText();
        boolean expected = vector.get("allowed").asBoolean();
        byte[] robots = vector.has("robots_txt")
                ? vector.get("robots_txt").asText().getBytes(UTF_8)
                : vector.get("robots_txt_base64").binaryValue();
        String got;
        try {
            got = String.valueOf(isAllowed(robots, userAgent, url));
        } catch (RuntimeException refused) {
            got = refused.toString();
        }
        boolean right = got.equals(String.valueOf(expected));
        if (right && known.contains(id)) {
            throw new Failure(id + " passes; remove it from known.txt");
        }
        if (right || known.contains(id)) {
            return;
        }
        String level = vector.get("level").asText();
        StringBuilder message = new StringBuilder();
        message.append("%s (%s, section %s): %s%n  %s%n".formatted(
                id, level, vector.get("section").asText(), vector.get("about").asText(),
                says.get(vector.get("requirement").asText())));
        String[] lines = new String(robots, UTF_8).split("(?<=\n)");
        for (int number = 1; number <= lines.length; number++) {
            message.append("  %3d %s%n".formatted(number, visible(lines[number - 1])));
        }
        message.append("  %s %s: expected %s, got %s%n".formatted(userAgent, url, expected, got));
        message.append("  known.txt: %s bug WHY".formatted(id));
        Assumptions.assumeTrue(level.equals("must"), message.toString());
        throw new Failure(message.toString());
    }

    /** Returns a line without its end, and with each octet that a reader cannot see as an escape. */
    private static String visible(String line) {
        Pattern invisible = Pattern.compile("[^ -~]");
        return invisible.matcher(line.replaceFirst("\n$", "")).replaceAll(
                found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
    }

    @Test
    void everyKnownFailureIsAVector() {
        Set<String> unknown = new HashSet<>(known);
        vectors.forEach(vector -> unknown.remove(vector.get("id").asText()));
        assertEquals(Set.of(), unknown);
    }

    /** A failure that explains itself, without a stack. */
    private static final class Failure extends AssertionError {
        Failure(String message) {
            super(message);
            setStackTrace(new StackTraceElement[0]);
        }
    }
}
