import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;

/** crawler-commons: the parser of Apache Nutch and StormCrawler. */
public final class PeerCrawlerCommons {
    private static final String ROBOTS_URL = "https://example.com/robots.txt";

    private PeerCrawlerCommons() {}

    public static void main(String[] arguments) throws IOException {
        Map<String, Function<Protocol.Question, JsonObject>> answers = new LinkedHashMap<>();
        answers.put("verdict", PeerCrawlerCommons::verdict);
        answers.put("sitemaps", PeerCrawlerCommons::sitemaps);
        Protocol.serve("crawler-commons", version(), List.of("rfc9309"), answers);
    }

    private static JsonObject verdict(Protocol.Question question) {
        // The documentation of the library requires names in lower case. The library takes several tokens as a set
        // without an order.
        List<String> names = List.of(question.token().toLowerCase(Locale.ROOT));
        BaseRobotRules rules =
                new SimpleRobotRulesParser().parseContent(ROBOTS_URL, question.octets(), "text/plain", names);
        return Protocol.verdict(rules.isAllowed(question.url()));
    }

    private static JsonObject sitemaps(Protocol.Question question) {
        BaseRobotRules rules =
                new SimpleRobotRulesParser().parseContent(ROBOTS_URL, question.octets(), "text/plain", List.of());
        JsonArray urls = new JsonArray();
        rules.getSitemaps().forEach(urls::add);
        return Protocol.answer("sitemaps", urls);
    }

    private static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = SimpleRobotRulesParser.class.getResourceAsStream(
                "/META-INF/maven/com.github.crawler-commons/crawler-commons/pom.properties")) {
            properties.load(in);
        }
        return properties.getProperty("version");
    }
}
