//! The table of the kinds of findings.
//!
//! A row has the name, the level, the id of the requirement that findings of the kind cite, and the texts. A summary is
//! one sentence. A cause and a fix are lists of sentences, without a capital letter at their start and without a full
//! stop. The first sentence whose values all exist is written: `{shown}` is the text of the span, `{?path}` writes
//! nothing, but needs a value. The module `text` defines the values. An example is a small file that has a finding of
//! the kind; a kind that needs a long or a binary file has none.

kinds! {
    // The file
    Utf16 = "utf-16", Error, "FORMAT-UTF8",
        "The file is saved as UTF-16 or UTF-32, and crawlers read UTF-8."
        cause ["the file is saved as UTF-16 or UTF-32; crawlers read UTF-8 and find no rule in it"]
        fix ["save it as UTF-8, without a byte order mark"];
    NotText = "not-text", Error, "FORMAT-UTF8",
        "The file is not text: it is compressed or binary."
        cause ["the file is not text (it is compressed or binary), so crawlers find no rule in it"]
        fix ["serve plain text in UTF-8; compress with Content-Encoding alone"];
    HtmlPage = "html-page", Error, "FORMAT-GARBAGE",
        "The file is an HTML page or other markup."
        cause ["the file is an HTML page, not a robots.txt; crawlers ignore every line that is not a rule by chance"]
        fix ["serve plain text, or answer 404 where there is no robots.txt"]
        example "<!DOCTYPE html>\n<title>Not found</title>\n";
    ByteOrderMark = "byte-order-mark", Warning, "FORMAT-BOM",
        "An invisible byte order mark is before the first line."
        cause ["the file begins with an invisible byte order mark, and some crawlers therefore misread the first line"]
        fix ["save the file without it"]
        example "\u{FEFF}User-agent: *\nDisallow: /private\n";
    Truncated = "truncated", Error, "FORMAT-SIZE",
        "The file is longer than crawlers read, and they ignore the rest."
        cause ["crawlers read the first {start} octets only; everything from line {line} on is ignored \
                ({octets} octets)"]
        fix ["keep the file below 500 KiB: merge rules, or move what is excluded into one directory"];
    // Lines
    NoColon = "no-colon", Error, "FORMAT-LINE",
        "A line has no colon after a field name, so crawlers ignore it."
        cause ["the line has no colon after a field name, so crawlers ignore it"]
        fix ["write `{suggestion}`", "write `field: value`, or begin the line with `#`"]
        example "User-agent: *\nDisallow /private\n";
    NoField = "no-field", Error, "FORMAT-LINE",
        "The field name before the colon is missing, so crawlers ignore the line."
        cause ["the field name before the colon is missing, so crawlers ignore this line"]
        fix ["write `field: value`, or begin the line with `#`"]
        example "User-agent: *\n: /private\n";
    MisspeltField = "misspelt-field", Error, "FORMAT-TYPO",
        "A field name looks misspelt, so crawlers ignore the line."
        cause ["robots.txt has no field `{shown}`, so crawlers ignore this line"]
        fix ["did you mean `{suggestion}`?", "correct the name"]
        example "User-agent: *\nDisalow: /private\n";
    UnknownField = "unknown-field", Warning, "FORMAT-FIELDS",
        "No known crawler reads the field."
        cause ["no known crawler reads a field `{shown}`"]
        fix ["did you mean `{meant}`?", "remove the line, or make it a comment"]
        example "User-agent: *\nRobots: /private\n";
    ExtensionField = "extension-field", Note, "FORMAT-FIELDS",
        "Only some crawlers read the field."
        cause ["`{shown}` is not part of the standard; it is {extension}"]
        fix ["keep it for the crawlers that read it; do not rely on it for others"]
        example "User-agent: *\nCrawl-delay: 5\n";
    ObsoleteField = "obsolete-field", Warning, "FORMAT-FIELDS",
        "No crawler obeys the field any more."
        cause ["`{shown}` is not part of the standard; it is {extension}"]
        fix ["{instead}", "remove the line"]
        example "User-agent: *\nNoindex: /private\n";
    BareUrl = "bare-url", Warning, "FORMAT-LINE",
        "A line is only a URL, so crawlers ignore it."
        cause ["the line is only a URL, so crawlers ignore it"]
        fix ["for a sitemap write `{suggestion}`", "for a sitemap write `Sitemap:` before it"]
        example "https://example.com/sitemap.xml\n";
    LinesJoined = "lines-joined", Error, "FORMAT-LINE",
        "Another field and its colon are inside a value."
        cause ["`{shown}` is in the same line as another field, so crawlers read it as part of that value"]
        fix ["begin a new line before it"]
        example "User-agent: *\nDisallow: /a Disallow: /b\n";
    OddSpace = "odd-space", Error, "FORMAT-LINE",
        "An invisible character that is not a space is before or after a name or value."
        cause ["an invisible character before or after this text belongs to it, so crawlers do not recognise the text"]
        fix ["delete it: write `{suggestion}`", "delete it"]
        example "User-agent: *\nDisallow: \u{A0}/private\n";
    ControlInField = "control-in-field", Error, "FORMAT-UTF8",
        "A field name contains a control character, so crawlers ignore the line."
        cause ["the field name contains an invisible control character, so crawlers ignore this line"]
        fix ["delete it"]
        example "User-agent: *\nDis\u{1}allow: /private\n";
    ControlInValue = "control-in-value", Error, "FORMAT-UTF8",
        "A value contains a control character, so the line has no effect."
        cause ["the value contains an invisible control character, so the line has no effect"]
        fix ["delete it"]
        example "User-agent: *\nDisallow: /private\u{1}\n";
    ControlInComment = "control-in-comment", Note, "FORMAT-COMMENT",
        "A comment contains a control character."
        cause ["the comment contains an invisible control character"]
        fix ["delete it"]
        example "User-agent: *\nDisallow: /private # \u{1}\n";
    InvalidUtf8 = "invalid-utf8", Warning, "FORMAT-UTF8",
        "A line is not valid UTF-8."
        cause ["`{shown}` is not valid UTF-8, so crawlers may read this line differently"]
        fix ["save the file as UTF-8, or percent-encode the octets"];
    LongLine = "long-line", Note, "FORMAT-LINE",
        "A line is longer than Google's published library reads."
        cause ["Google's published library reads only the first 16,663 octets of a line; {length} more follow"]
        fix ["write shorter lines"];
    // Groups
    EmptyAgent = "empty-agent", Error, "AGENT-ONE",
        "A user-agent line names no crawler."
        cause ["the line names no crawler, so the rules below it apply to no crawler"]
        fix ["name a crawler, or `*` for all that are not named"]
        example "User-agent:\nDisallow: /private\n";
    AgentsJoined = "agents-joined", Error, "AGENT-SUFFIX",
        "One user-agent line lists several crawlers, and only the first counts."
        cause ["a line can name only one crawler; this one names `{part}` and no other"]
        fix ["write a user-agent line for each, one below the other"]
        example "User-agent: Googlebot, Bingbot\nDisallow: /private\n";
    AgentHeader = "agent-header", Error, "AGENT-ONE",
        "A user-agent line contains a whole User-Agent header instead of a crawler's name."
        cause ["this is a whole User-Agent header; crawlers read only the first word, `{part}`"]
        fix ["write the product token, `{suggestion}`", "write the product token that the crawler documents"]
        example "User-agent: Mozilla/5.0 (compatible; examplebot/1.0)\nDisallow: /private\n";
    AgentNamesNobody = "agent-names-nobody", Error, "AGENT-ONE",
        "The value of a user-agent line is not a crawler's name and not `*` alone."
        cause ["this is not a crawler's name and not `*` alone, so the line names no crawler"]
        fix ["write a product token (letters, `_` and `-`), or `*` alone"]
        example "User-agent: *bot\nDisallow: /private\n";
    AgentAll = "agent-all", Warning, "AGENT-ONE",
        "A user-agent line names a crawler with the name `All`, and only `*` means all crawlers."
        cause ["the line names a crawler with the name `{shown}`; only `*` means all crawlers"]
        fix ["write `{suggestion}`"]
        example "User-agent: All\nDisallow: /private\n";
    MisspeltAgent = "misspelt-agent", Warning, "AGENT-ONE",
        "A crawler's name differs in one or two letters from the name of a known crawler."
        cause ["no crawler with the name `{shown}` is known, and a known one has almost the same name"]
        fix ["did you mean `{suggestion}`?"]
        example "User-agent: SemrushBoth\nDisallow: /private\n";
    PolicyToken = "policy-token", Note, "AGENT-TOKEN",
        "A user-agent line names a use of content instead of a crawler, and only some crawlers read such groups."
        cause ["`{shown}` is no crawler, but a policy token of an Internet-Draft (draft-kelley-aipref-training-preference-\
                signal-00); only crawlers that support the draft read this group"]
        fix ["keep it for the crawlers that support it; name other crawlers in groups of their own"]
        example "User-agent: __usage_ai-training\nDisallow: /\n";
    AgentSuffix = "agent-suffix", Warning, "AGENT-SUFFIX",
        "Crawlers ignore what follows the name in a user-agent line."
        cause ["crawlers ignore `{shown}`; the line names `{part}`"]
        fix ["{?suggestion}write `{part}`", "write the product token that the crawler documents"]
        example "User-agent: examplebot/1.0\nDisallow: /private\n";
    AgentDigits = "agent-digits", Note, "AGENT-TOKEN",
        "A crawler's name contains a digit, which RFC 9309 does not allow."
        cause ["RFC 9309 does not allow digits in a crawler's name, and Google's published library reads `{shown}` \
                only up to the digit"]
        fix ["write the token that the crawler documents"]
        example "User-agent: examplebot2\nDisallow: /private\n";
    AgentsRunOn = "agents-run-on", Warning, "GROUP-SHAPE",
        "No rule is between two user-agent lines, so both crawlers follow the same rules."
        cause ["no rule is between this line and {another}, so both crawlers follow the same rules"]
        fix ["write a rule before this line, for example `Disallow:`, or remove the lines between the two if they \
              are meant to share rules"]
        example "User-agent: a\n\nUser-agent: b\nDisallow: /private\n";
    GroupRepeated = "group-repeated", Warning, "GROUP-MERGE",
        "A crawler has several groups, and some crawlers follow only one."
        cause ["the same crawler has another group ({another}); most crawlers follow both, some only one"]
        fix ["put all rules for this crawler into one group"]
        example "User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n";
    AgentRepeated = "agent-repeated", Note, "GROUP-MERGE",
        "A group names a crawler twice."
        cause ["the group already names this crawler ({another})"]
        fix ["remove the line"]
        example "User-agent: a\nUser-agent: a\nDisallow: /x\n";
    // Rules
    RuleBeforeAgent = "rule-before-agent", Error, "GROUP-ORPHAN",
        "No user-agent line comes before a rule, so crawlers ignore it."
        cause ["no user-agent line comes before this rule, so crawlers ignore it"]
        fix ["write `User-agent: *` before it"]
        example "Disallow: /private\nUser-agent: *\nDisallow: /x\n";
    EmptyAllow = "empty-allow", Warning, "RULE-EMPTY",
        "An allow line without a path has no effect."
        cause ["an allow line without a path has no effect"]
        fix ["write `Allow: /` to allow everything, or remove the line"]
        example "User-agent: *\nAllow:\n";
    EmptyDisallow = "empty-disallow", Note, "RULE-EMPTY",
        "A disallow line without a path has no effect beside other rules."
        cause ["a disallow line without a path has no effect, because the group has other rules ({another})"]
        fix ["remove the line"]
        example "User-agent: *\nDisallow:\nDisallow: /private\n";
    AbsoluteUrl = "absolute-url", Error, "RULE-ROOT",
        "A rule contains a whole URL instead of a path, and matches nothing."
        cause ["a rule needs a path, not a whole URL; this rule matches nothing"]
        fix ["write `{replacement}`", "write `{suggestion}`, in the robots.txt of that host", "write the path"]
        example "User-agent: *\nDisallow: https://example.com/private\n";
    NoSlash = "no-slash", Error, "RULE-ROOT",
        "The path of a rule does not begin with `/` or `*`, so the rule matches nothing."
        cause ["the path does not begin with `/` or `*`, so the rule matches nothing"]
        fix ["did you mean `{suggestion}`?", "begin the path with `/`"]
        example "User-agent: *\nDisallow: private\n";
    SlashAssumed = "slash-assumed", Warning, "RULE-ROOT",
        "The first slash of a path is missing, and only some crawlers add it."
        cause ["the first slash of the path is missing; only some crawlers add it"]
        fix ["write `{suggestion}`", "begin the path with `/`"]
        example "User-agent: *\nDisallow: private\n";
    LeadingStar = "leading-star", Warning, "RULE-ROOT",
        "The path of a rule begins with `*`, and some crawlers ignore the rule."
        cause ["the path begins with `*`, which RFC 9309 does not allow, and some crawlers ignore the rule"]
        fix ["write `{suggestion}`, which matches the same",
             "write two rules, `{path}` and `/*{path}`",
             "write `/*{rest}`, which matches the same, unless another rule then wins or loses by its length"]
        example "User-agent: *\nDisallow: *.pdf\n";
    PathsJoined = "paths-joined", Error, "FORMAT-LINE",
        "A rule lists several paths, and matches none of them."
        cause ["a line can have only one path; crawlers read this as a single path with spaces"]
        fix ["write a line for each path"]
        example "User-agent: *\nDisallow: /a /b\n";
    RawSpace = "raw-space", Warning, "MATCH-ENCODING",
        "The path of a rule contains a space that is not encoded."
        cause ["the path contains a space, and some crawlers stop reading there"]
        fix ["write `{suggestion}`", "percent-encode it"]
        example "User-agent: *\nDisallow: /a b\n";
    NonAscii = "non-ascii", Note, "MATCH-ENCODING",
        "The path of a rule contains characters outside ASCII that are not encoded."
        cause ["the path contains characters outside ASCII; some crawlers match only their percent-encoded form"]
        fix ["write `{suggestion}`", "percent-encode it"]
        example "User-agent: *\nDisallow: /caf\u{E9}\n";
    StrayPercent = "stray-percent", Warning, "MATCH-ENCODING",
        "A `%` without two hexadecimal digits is in the path of a rule."
        cause ["two hexadecimal digits must follow `%`; no URL contains a `%` like this one"]
        fix ["write `{suggestion}`", "percent-encode it"]
        example "User-agent: *\nDisallow: /100%\n";
    DollarInside = "dollar-inside", Warning, "MATCH-END",
        "A `$` that does not end the path of a rule is an ordinary character."
        cause ["`$` marks the end of a URL only as the last character; here it is an ordinary character"]
        fix ["write `%24` for the character, or remove what follows the `$`"]
        example "User-agent: *\nDisallow: /a$b\n";
    RegularExpression = "regular-expression", Warning, "MATCH-STAR",
        "The path of a rule looks like a regular expression, and crawlers read it as ordinary characters."
        cause ["this looks like a regular expression; in a path only `*` and a last `$` are special, so the rule matches \
                only URLs that contain these characters"]
        fix ["write `*` for any characters, and a rule for each alternative"]
        example "User-agent: *\nDisallow: /(shop|cart)/[0-9]+\n";
    BackslashInPath = "backslash-in-path", Warning, "MATCH-ENCODING",
        "The path of a rule contains a backslash, and browsers and crawlers write `/` in URLs."
        cause ["no URL contains a backslash like this one, because browsers and crawlers write `/` for it"]
        fix ["write `/`"]
        example "User-agent: *\nDisallow: /shop\\cart\n";
    ExtensionAlone = "extension-alone", Warning, "MATCH-END",
        "The path of a rule is a file extension without a `*` before it."
        cause ["the rule matches only the file `{shown}` without a name; `$` ends the URL, and `/` begins it"]
        fix ["write `/*` before the extension"]
        example "User-agent: *\nDisallow: /.pdf$\n";
    UselessDollar = "useless-dollar", Note, "MATCH-END",
        "A `$` after a `*` has no effect."
        cause ["`{shown}` has no effect: a rule matches every URL that begins with its path"]
        fix ["{?suggestion}leave it out", "leave it out, unless the rule is meant to win by its length"]
        example "User-agent: *\nDisallow: /a*$\n";
    UselessStar = "useless-star", Note, "MATCH-TRAILING-STAR",
        "A `*` at the end of a path, or after another `*`, has no effect."
        cause ["`{shown}` has no effect: the path matches the same URLs without it"]
        fix ["{?suggestion}leave it out", "leave it out, unless the rule is meant to win by its length"]
        example "User-agent: *\nDisallow: /a*\n";
    HashInPath = "hash-in-path", Note, "FORMAT-COMMENT",
        "A `#` directly after a path begins a comment."
        cause ["`#` begins a comment, even without a space before it"]
        fix ["write `%23` for the character, or white space before the comment"]
        example "User-agent: *\nDisallow: /a#b\n";
    RobotsTxtRule = "robots-txt-rule", Note, "RULE-ROBOTS-TXT",
        "A rule names robots.txt itself, which crawlers may always fetch."
        cause ["crawlers may always fetch robots.txt itself, whatever the rules are"]
        fix ["remove the line"]
        example "User-agent: *\nDisallow: /robots.txt\n";
    OverriddenRule = "overridden-rule", Warning, "PREC-TIE",
        "A disallow rule has no effect, because an allow rule has the same path."
        cause ["the rule has no effect: an allow rule with the same path wins ({another})"]
        fix ["remove one of the two"]
        example "User-agent: *\nAllow: /a\nDisallow: /a\n";
    RedundantRule = "redundant-rule", Note, "PREC-LENGTH",
        "A rule has no effect, because other rules cover it."
        cause ["the rule has no effect: {another} already covers it",
               "the rule has no effect: without it, the same URLs are allowed"]
        fix ["remove the line"]
        example "User-agent: *\nDisallow: /a\nDisallow: /a/b\n";
    // Preferences about the use of content. The drafts that define these fields may change, so no finding about them is
    // an error.
    PreferenceBetweenAgents = "preference-between-agents", Warning, "USAGE-RULE",
        "A preference is between two user-agent lines, which most parsers read as one group."
        cause ["{another} is between this line and a user-agent line above it; most parsers read these groups as one, so \
                the rules below are also for the crawlers above"]
        fix ["end the group above with a rule, for example `Disallow:`, directly before this line"]
        example "User-agent: *\nContent-Usage: train-ai=n\nUser-agent: examplebot\nDisallow: /\n";
    PreferenceBeforeAgent = "preference-before-agent", Warning, "USAGE-GROUP",
        "No user-agent line comes before a preference, so it belongs to no group."
        cause ["no user-agent line comes before this preference, so it belongs to no group"]
        fix ["write `User-agent: *` before it"]
        example "Content-Usage: train-ai=n\nUser-agent: *\nDisallow: /x\n";
    PreferenceNotCrawled = "preference-not-crawled", Note, "USAGE-NOT-CRAWLED",
        "A preference is about pages that the crawlers of its group may not fetch."
        cause ["the crawlers of this group may not fetch these pages ({another}), so the preference is about none of \
                them"]
        fix ["remove the line, or allow the pages that it is about"]
        example "User-agent: *\nDisallow: /private\nContent-Usage: /private/ train-ai=y\n";
    PreferenceContradicted = "preference-contradicted", Warning, "USAGE-GROUP",
        "A preference about AI training contradicts the group of a policy token."
        cause ["for AI training, this line says the opposite of the group for a policy token ({another})"]
        fix ["make both say the same"]
        example "User-agent: *\nContent-Usage: train-ai=y\nDisallow:\n\nUser-agent: __usage_ai-training\nDisallow: /\n";
    SignalLost = "signal-lost", Warning, "FORMAT-FIELDS",
        "A crawler has a group of its own, without the Content-Signal line that the group of `*` has."
        cause ["`{token}` has a group of its own, so {another} does not apply to it; Content-Signal is not a standard"]
        fix ["copy the line into this group"]
        example "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /private\n\nUser-agent: examplebot\nAllow: /\n";
    UsageEmpty = "usage-empty", Warning, "USAGE-PATH-END",
        "A Content-Usage line states no preference."
        cause ["{?path}the line has a path and no preference, and readers differ on what that means",
               "the line states no preference"]
        fix ["write a preference after the path, for example `{path} train-ai=n`, or remove the line",
             "write a preference, for example `train-ai=n`, or remove the line"]
        example "User-agent: *\nContent-Usage: /articles/\n";
    UsageInvalid = "usage-invalid", Warning, "PREF-INVALID",
        "A part of a Content-Usage line is not `label=value`, so readers ignore the whole line."
        cause ["`{shown}` is not a preference of the form `label=value`, so readers ignore the whole line"]
        fix ["write `label=value`, with commas between several, for example `train-ai=n, search=y`; a path before it \
              begins with `/`"]
        example "User-agent: *\nContent-Usage: train-ai=n search=y\n";
    UsageTrailingMark = "usage-trailing-mark", Warning, "PREF-INVALID",
        "A comma or semicolon ends a Content-Usage line, so readers ignore the whole line."
        cause ["{?semicolon}a semicolon ends the preference, and strict readers therefore ignore the whole line",
               "a comma ends the preference, so readers ignore the whole line"]
        fix ["remove it"]
        example "User-agent: *\nContent-Usage: train-ai=n,\n";
    UsageQuotedHash = "usage-quoted-hash", Warning, "USAGE-END",
        "A `#` in quotation marks cuts a Content-Usage line, so readers ignore the whole line."
        cause ["`#` begins a comment even in quotation marks, so the preference ends here and readers ignore the whole \
                line"]
        fix ["remove the text in quotation marks, or write it without `#`"]
        example "User-agent: *\nContent-Usage: train-ai=n;why=\"no. #1\"\n";
    UsageCapitals = "usage-capitals", Warning, "PREF-CASE",
        "A label of Content-Usage contains a capital letter, so readers ignore the whole line."
        cause ["`{shown}` contains a capital letter, which no label may have, so readers ignore the whole line"]
        fix ["write `{corrected}`", "write it in lower case"]
        example "User-agent: *\nContent-Usage: Train-AI=n\n";
    UsageValue = "usage-value", Warning, "PREF-VALUE",
        "The value of a label of Content-Usage is not `y` or `n`, so it states nothing."
        cause ["`{shown}` states nothing, because its value is not `y` or `n`"]
        fix ["write `{corrected}`", "write `{part}=y` or `{part}=n`"]
        example "User-agent: *\nContent-Usage: train-ai=no\n";
    UsageOldLabel = "usage-old-label", Warning, "PREF-UNKNOWN",
        "A label of Content-Usage is one of an older draft, and readers of the current one ignore it."
        cause ["`{shown}` is a label of an older draft, and readers of the current one ignore it"]
        fix ["write `train-ai` or `search`"]
        example "User-agent: *\nContent-Usage: genai=n\n";
    UsageSignalKey = "usage-signal-key", Warning, "PREF-UNKNOWN",
        "A key of Content-Signal is in a Content-Usage line, and readers ignore it."
        cause ["`{part}` is a key of Content-Signal, and readers of Content-Usage ignore it"]
        fix ["write `{corrected}`", "put it into a Content-Signal line; Content-Usage has no label for it"]
        example "User-agent: *\nContent-Usage: ai-train=no\n";
    SignalUsageKey = "signal-usage-key", Warning, "FORMAT-FIELDS",
        "A label of Content-Usage is in a Content-Signal line."
        cause ["`{part}` is a label of Content-Usage, and not a key of Content-Signal"]
        fix ["write `{corrected}`", "put it into a Content-Usage line; Content-Signal has no key for it"]
        example "User-agent: *\nContent-Signal: train-ai=no\n";
    SignalValue = "signal-value", Warning, "FORMAT-FIELDS",
        "The value of a key of Content-Signal is not `yes` or `no`."
        cause ["the values of Content-Signal are `yes` and `no`, and `{shown}` has another one"]
        fix ["write `{corrected}`", "write `{part}=yes` or `{part}=no`"]
        example "User-agent: *\nContent-Signal: ai-train=n\n";
    // The meaning of the whole file
    EverythingBlocked = "everything-blocked", Warning, "PREC-LENGTH",
        "No crawler may fetch anything but robots.txt."
        cause ["no crawler may fetch anything from this site, search engines included"]
        fix ["if that is not meant, remove this rule, or name the directories that are to stay closed"]
        example "User-agent: *\nDisallow: /\n";
    SearchEngineBlocked = "search-engine-blocked", Warning, "PREC-LENGTH",
        "A search engine may fetch nothing but robots.txt."
        cause ["{engines} may fetch nothing from this site"]
        fix ["if that is not meant, remove this rule, or write a group with `Disallow:` for that search engine"]
        example "User-agent: Googlebot\nDisallow: /\n";
    StarRulesLost = "star-rules-lost", Warning, "AGENT-ONE",
        "A search engine has a group of its own, which repeats none of the rules for `*`, so it may fetch what they close."
        cause ["`{token}` has a group of its own, so the rules for `*` do not apply to it: it may fetch, for \
                example, what {another} closes for other crawlers"]
        fix ["if that is not meant, copy the rules for `*` into this group, or remove the group"]
        example "User-agent: *\nDisallow: /checkout/\n\nUser-agent: Googlebot\nAllow: /\n";
    StarRulesReplaced = "star-rules-replaced", Note, "AGENT-ONE",
        "A search engine has a group of its own, so it may fetch some of what the rules for `*` close."
        cause ["`{token}` has a group of its own, so the rules for `*` do not apply to it: it may fetch, for \
                example, what {another} closes for other crawlers"]
        fix ["if that is not meant, copy the rule into this group"]
        example "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /checkout/\n";
    // Sitemaps
    EmptySitemap = "empty-sitemap", Error, "SITEMAP-ABSOLUTE",
        "A sitemap line names nothing."
        cause ["the line names no sitemap"]
        fix ["write the sitemap's URL, or remove the line"]
        example "Sitemap:\n";
    RelativeSitemap = "relative-sitemap", Error, "SITEMAP-ABSOLUTE",
        "A sitemap line contains no whole URL, so crawlers ignore it."
        cause ["a sitemap needs its whole URL, so crawlers ignore this line"]
        fix ["write the whole URL: `{url}`"]
        example "Sitemap: /sitemap.xml\n";
    SitemapsJoined = "sitemaps-joined", Warning, "SITEMAP-ABSOLUTE",
        "A sitemap line contains a space, perhaps between several URLs."
        cause ["the value contains a space, and crawlers read all of it as one URL"]
        fix ["write a line for each URL, or encode the space as `%20`"]
        example "Sitemap: https://example.com/a.xml https://example.com/b.xml\n";
}
