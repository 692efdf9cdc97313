import crawlercommons.filters.basic.BasicURLNormalizer;
import de.hshn.mi.crawler4j.frontier.HSQLDBFrontierConfiguration;
import edu.uci.ics.crawler4j.crawler.CrawlConfig;
import edu.uci.ics.crawler4j.crawler.CrawlController;
import edu.uci.ics.crawler4j.crawler.WebCrawler;
import edu.uci.ics.crawler4j.fetcher.PageFetcher;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtConfig;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtServer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Crawls from each URL of a file with crawler4j: Crawl4j AGENT SEEDS FOLDER. */
public class Crawl4j {
    public static class Everywhere extends WebCrawler {}

    public static void main(String[] arguments) throws Exception {
        var config = new CrawlConfig();
        config.setUserAgentString(arguments[0]);
        config.setCrawlStorageFolder(arguments[2]);
        config.setPolitenessDelay(0);
        config.setConnectionTimeout(3000);
        config.setSocketTimeout(3000);
        config.setAllowSingleLevelDomain(true);
        // The seconds that crawler4j waits: between its checks whether the crawl has ended, before it stops its
        // threads, and before it cleans up.
        config.setThreadMonitoringDelaySeconds(1);
        config.setThreadShutdownDelaySeconds(1);
        config.setCleanupDelaySeconds(1);
        var robots = new RobotstxtConfig();
        robots.setUserAgentName(arguments[0]);
        var normalizer = BasicURLNormalizer.newBuilder().build();
        var fetcher = new PageFetcher(config, normalizer);
        var frontier = new HSQLDBFrontierConfiguration(config, 10);
        var server = new RobotstxtServer(robots, fetcher, frontier.getWebURLFactory());
        var controller = new CrawlController(config, normalizer, fetcher, server, frontier);
        for (var seed : Files.readAllLines(Path.of(arguments[1]))) {
            controller.addSeed(seed);
        }
        controller.start(Everywhere.class, 4);
    }
}
