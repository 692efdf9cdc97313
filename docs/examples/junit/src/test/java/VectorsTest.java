import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Asks crawler-commons the verdict questions of RFC 9309; known-failures.txt lists its wrong answers. */
class VectorsTest {
    private final Set<String> known = new HashSet<>(Files.readAllLines(Path.of("known-failures.txt")));
    private final List<JsonNode> vectors = new ArrayList<>();

    VectorsTest() throws IOException {
        for (JsonNode vector : new ObjectMapper().readTree(Path.of("vectors.json").toFile()).get("vectors")) {
            boolean parser = vector.get("ask").asText().equals("verdict") && !vector.has("role");
            // crawler-commons treats a list of names as a set without an order, so only questions with one name are
            // asked.
            if (parser && vector.get("tokens").size() == 1 && vector.get("editions").has("rfc9309")) {
                vectors.add(vector);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> vectors() {
        return vectors.stream().map(vector -> dynamicTest(vector.get("name").asText(), () -> check(vector)));
    }

    private void check(JsonNode vector) throws IOException {
        String name = vector.get("name").asText();
        String url = vector.get("url").asText();
        List<String> tokens = List.of(vector.get("tokens").get(0).asText().toLowerCase());
        String robotsUrl = url.replaceFirst("^([^:]+://[^/?#]*).*", "$1/robots.txt");
        boolean expected = vector.get("expected").get("verdict").asText().equals("allow");
        boolean allowed;
        try {
            var rules = new SimpleRobotRulesParser().parseContent(robotsUrl, octets(vector), "text/plain", tokens);
            allowed = rules.isAllowed(url);
        } catch (RuntimeException refused) {
            allowed = !expected; // A refusal counts as the wrong answer.
        }
        boolean right = known.contains(name) ? !expected : expected;
        assertEquals(right, allowed, known.contains(name) ? "healed: " + name : vector.get("about").asText());
    }

    @Test
    void everyKnownFailureIsAVector() {
        Set<String> unknown = new HashSet<>(known);
        vectors.forEach(vector -> unknown.remove(vector.get("name").asText()));
        assertEquals(Set.of(), unknown);
    }

    /** Returns the octets of a file. The parts of a long file are joined. */
    private static byte[] octets(JsonNode vector) throws IOException {
        if (vector.has("robots_txt")) {
            return vector.get("robots_txt").asText().getBytes(UTF_8);
        }
        if (vector.has("robots_txt_base64")) {
            return vector.get("robots_txt_base64").binaryValue();
        }
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        for (JsonNode part : vector.get("robots_txt_parts")) {
            for (int number = 1; number <= part.path("times").asInt(1); number++) {
                if (part.has("base64")) {
                    octets.write(part.get("base64").binaryValue());
                } else if (part.has("counter")) {
                    String text = part.get("text").asText().replace(part.get("counter").asText(), "" + number);
                    octets.write(text.getBytes(UTF_8));
                } else {
                    octets.write(part.get("text").asText().getBytes(UTF_8));
                }
            }
        }
        assertEquals(vector.get("robots_txt_length").asInt(), octets.size());
        return octets.toByteArray();
    }
}
