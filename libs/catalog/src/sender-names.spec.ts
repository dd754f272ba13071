import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const catalog = getBundledCatalog();
const { matcher } = compileCatalog(catalog);
const findToken = (userAgent: string): string | null => matcher.match(userAgent)?.agent.token ?? null;

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID_VIEW =
  'Mozilla/5.0 (Linux; Android 15; SM-S921B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36';

/** User-Agents with the expected agent, or null if they don't identify one. */
const CASES: [kind: string, userAgent: string, agent: string | null][] = [
  // Contact addresses
  ['a host name', 'WordPress/6.8.1; https://www.yeti-outdoor.example', 'WordPress'],
  ['a host name', 'WordPress/6.8.1; https://yeti.example', 'WordPress'],
  ['a host name', 'PriceWatch/2.1 (+https://gptbot.example/)', null],
  ['a host name', 'PriceWatch/2.1 (www.googlebot.example)', null],
  ['a host name', 'PriceWatch/2.1 (contact: claudebot-watch.example)', null],
  ['a host name', 'PriceWatch/2.1 (contact: gptbot_news.example)', null],
  ['a host name', 'curl/8.5.0 (+http://stripe.example:8080)', 'curl'],
  ['a path', 'WordPress/6.8.1; https://blog.example/why-we-block-gptbot/', 'WordPress'],
  ['a path', 'PriceWatch/2.1 (+https://blog.example/GPTBot)', null],
  ['a path', 'PriceWatch/2.1 (+https://blog.example/a,GPTBot;Googlebot)', null],
  ['a path', 'PriceWatch/2.1 (+https://en.wikipedia.example/wiki/Crawler_(GPTBot)_explained)', null],
  ['a path', 'PriceWatch/2.1 (+https://blog.example/Googlebot/2.1)', null],
  ['a path', 'PriceWatch/2.1 (blog.example/2026/GPTBot)', null],
  ['a path', 'PriceWatch/2.1 (/opt/googlebot/run.sh)', null],
  ['a path', 'PriceWatch/2.1 (C:\\bots\\googlebot\\run.exe)', null],
  ['a path', 'go-module github.com/example/gptbot/v2', null],
  ['a query', 'PriceWatch/2.1 (+https://blog.example/?ref=gptbot&q=a+Googlebot)', null],
  ['a fragment', 'PriceWatch/2.1 (+https://blog.example/#googlebot)', null],
  ['an email address', 'PriceWatch/2.1 (contact: ivan.petrov@mail.ru)', null],
  ['an email address', 'PriceWatch/2.1 (contact: googlebot@example.com)', null],
  ['an email address', 'PriceWatch/2.1 (contact: ops@gptbot.example)', null],
  ['an email address', 'PriceWatch/2.1 (mailto:gptbot+news@example.com)', null],
  ['an email address', 'PriceWatch/2.1 (contact: gptbot[at]example.com)', null],
  ['a contact address without another name', 'Snap/1.0 (+https://www.diffbot.com/dev/docs/crawl/)', 'Diffbot'],
  [
    'a contact address without another name',
    'Mozilla/5.0 (compatible; +http://www.baidu.com/search/spider.html)',
    'Baiduspider',
  ],
  ['a contact address after a name', 'GPTBot/1.2 (+https://www.baidu.com/search/spider.html)', 'GPTBot'],
  ['a product named like a host', 'Traackr.com', 'Traackr.com'],
  [
    'a product named like a host',
    'Mozilla/5.0 (compatible; MegaIndex.ru/2.0; +http://megaindex.com/crawler)',
    'MegaIndex.ru',
  ],
  // Words
  ['part of a word', `${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0;FBCR/OrangeBotswana;FBLC/en_GB]`, null],
  ['part of a word', 'Mozilla/5.0 (compatible; BaiduImagespider/1.0)', null],
  ['part of a word', 'NotGPTBot/1.0', null],
  ['part of a word', 'GPTBots/1.0', null],
  ['part of a compound', 'external-secrets-operator/0.18.2', null],
  ['part of a compound', 'block-gptbot/1.2', null],
  ['part of a compound', 'my_googlebot/1.0', null],
  ['part of a compound', 'yeti-outdoor/3.1', null],
  ['part of a compound', 'notion-mcp-server/1.0', null],
  ['a variant', 'Mozilla/5.0 (compatible; SemrushBot-XYZ/1.0; +http://www.semrush.com/bot.html)', 'SemrushBot'],
  ['a variant', 'AhrefsBot.Feeds v0.1; http://ahrefs.com/', 'AhrefsBot'],
  ['a version after a hyphen', 'Mnogosearch-3.1.21', 'mnoGoSearch'],
  ['a version after a number', 'Grafana/11.1.0', 'Grafana'],
  ['a name in brackets', 'MyFetcher/1.0 (GPTBot)', 'GPTBot'],
  ['plus signs for spaces', 'Mozilla/5.0+(compatible;+PiplBot;+http://www.pipl.com/bot/)', 'PiplBot'],
  // Sentences, and programs about agents
  ['prose', 'Mozilla/5.0 (blocks GPTBot)', null],
  ['prose', 'PriceWatch/2.1 (blocks GPTBot, ClaudeBot and Bytespider)', null],
  ['prose', 'PriceWatch/2.1 (blocks: GPTBot)', null],
  ['prose', 'PriceWatch/2.1 [blocks GPTBot]', null],
  ['prose', 'PriceWatch/2.1 "blocks GPTBot"', null],
  ['prose', 'PriceWatch/2.1 (für GPTBot)', null],
  ['prose', 'PriceWatch/2.1 (No GPTBot)', null],
  ['prose', 'PriceWatch/2.1 (GPTBot is refused)', null],
  ['prose', 'PriceWatch/2.1 (not Googlebot/2.1)', null],
  ['prose', 'PriceWatch/2.1 (like Googlebot)', null],
  ['prose', 'Mozilla/5.0 (compatible; blocks GPTBot/1.2; +https://blog.example)', null],
  ['prose', 'I block GPTBot', null],
  ['prose', 'No GPTBot please', null],
  ['prose', 'curl/8.5.0 (without GPTBot)', 'curl'],
  ['prose', 'PriceWatch/2.1 refuses GPTBot', null],
  ['a program about an agent', 'gptbot-blocker/1.0', null],
  ['a program about an agent', 'gptbot_detector/2', null],
  ['a program about an agent', 'claudebot-guard', null],
  ['a program about an agent', 'GPTBot-Blocker/1.0', null],
  ['a program about an agent', 'GPTBot blocker/1.0', null],
  ['a program about an agent', 'Block GPTBot/1.0', null],
  ['a program about an agent', 'Googlebot-Verifier/1.0', null],
  ['a program about an agent', 'Mozilla/5.0 (compatible; GPTBot Blocker; +https://blog.example)', null],
  ['a name after other words', 'Mozilla/5.0 (compatible GPTBot/1.2; +https://openai.com/gptbot)', 'GPTBot'],
  ['a name after other words', 'Mozilla/5.0 (compatible, GPTBot)', 'GPTBot'],
  ['a name after other words', 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko, GPTBot/1.2)', 'GPTBot'],
  ['a name after other words', 'Mozilla/5.0 (User-Agent: GPTBot)', 'GPTBot'],
  [
    'a name after other words',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'GoogleImageProxy',
  ],
  ['a name before other words', 'Mozilla/5.0 (compatible; GPTBot https://openai.com/gptbot)', 'GPTBot'],
  ['a name before other words', 'GPTBot crawler', 'GPTBot'],
  ['a framework name in a phrase', 'PrivateSearch/0.1.0 (Polite Nutch Crawler; grierforensics.com)', 'Nutch'],
  // Devices, apps, browsers and libraries
  ['a device', 'Dalvik/2.1.0 (Linux; U; Android 13; odin Build/TKQ1.221114.001)', null],
  [
    'a device',
    `${ANDROID_VIEW} Instagram 390.0.0.28.85 Android (33/13; 440dpi; 1080x2276; Xiaomi/xiaomi; MIX 4; odin; qcom; en_US; 1)`,
    null,
  ],
  [
    'a device',
    'Mozilla/5.0 (Linux; Android 14; Yeti) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
    null,
  ],
  [
    'a device',
    'Mozilla/5.0 (Linux; Android 14; Magellan Build/A1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    null,
  ],
  ['an app', 'Blackboard/25.1 (iPhone; iOS 18.5; Scale/3.00)', null],
  ['an app', 'Blackboard/25.1', null],
  ['an app', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 Freespoke/4.1.0`, null],
  ['an app', `${IPHONE} Mobile/15E148 Tumblr/36.8`, null],
  ['an app', 'Tumblr/36.8', null],
  ['an app', 'Notion/4.20.0 CFNetwork/1490.0.4 Darwin/23.2.0', null],
  ['an app', 'Yeti/1.4 (com.yeti.app; build:7; iOS 18.5.0) Alamofire/5.9.1', null],
  ['an app', 'Larkspur/2.4.1 (com.larkspur; build:61; Android 13; Model: CPH2449) OkHttp/4.12.0', null],
  ['an app', 'Stripe/5.1.0 (Linux; U; Android 14; Pixel 8)', null],
  ['an app', `${ANDROID_VIEW} Goodreads/4.0`, null],
  ['an app on Electron', `${MAC} Notion/4.20.0 Chrome/140.0.0.0 Electron/38.1.0 Safari/537.36`, null],
  ['an app on Electron', `${MAC} Asana/2.1.0 Chrome/140.0.0.0 Electron/38.1.0 Safari/537.36`, null],
  ['an app on Electron', `${MAC} Grammarly/1.99 Chrome/140.0.0.0 Electron/38.1.0 Safari/537.36`, null],
  ['an agent on Electron', `${CHROME} Code/1.115.0 Chrome/142.0.7444.265 Electron/39.8.5 Safari/537.36`, 'Code'],
  ['a library', 'OpenAI/Python 2.8.1', 'OpenAI SDK'],
  ['a library', 'AsyncOpenAI/Python 2.8.1', 'OpenAI SDK'],
  ['a library', 'Anthropic/JS 0.70.0', 'Anthropic SDK'],
  ['a library', 'Stripe/v1 PythonBindings/12.0.0', null],
  ['a known agent', 'Mozilla/5.0 (compatible; Odin; https://docs.getodin.com/)', 'Odin'],
  ['a known agent', 'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)', 'Yeti'],
  ['a known agent', 'Yeti/1.0 (NHN Corp.; http://help.naver.com/robots/)', 'Yeti'],
  ['a known agent', 'Notion/1.0 (https://notion.so; team@makenotion.com)', 'Notion'],
  ['a known agent', 'Tumblr/14.0.835.186', 'Tumblr'],
  ['a known agent', 'Blackboard Safeassign', 'Blackboard Safeassign'],
  ['a known agent', 'Mozilla/5.0 (compatible; Freespoke/2.0; +https://crawler.freespoke.com)', 'Freespoke'],
  [
    'a known agent that emulates a phone',
    'Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36',
    'Storebot-Google',
  ],
  [
    'a known agent that emulates a phone',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Googlebot',
  ],
  // Link previews
  [
    'a link preview',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'facebookexternalhit',
  ],
  ['a link preview', 'facebookexternalhit/1.1', 'facebookexternalhit'],
  ['a link preview', 'Twitterbot/1.0', 'Twitterbot'],
  ['a link preview', 'TelegramBot (like TwitterBot)', 'TelegramBot'],
  ['the name of an imitated agent', 'facebookexternalhit/1.1;line-poker/1.0', 'LINE'],
  [
    'the name of an imitated agent',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'KakaoTalk',
  ],
  [
    'the name of an imitated agent',
    'facebookexternalhit/1.1;kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'KakaoTalk',
  ],
  [
    'the name of an imitated agent',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'iMessage',
  ],
  ['the name of an imitated agent', 'facebookexternalhit/1.1; zalo/1.0', 'Other link previews'],
  ['the name of an imitated agent', `${CHROME} Safari/537.36 facebookexternalhit/1.1`, 'Other link previews'],
  ['the name of an imitated agent', `${CHROME} Safari/537.36 Twitterbot/1.0`, 'Other link previews'],
  [
    'the name of an imitated agent',
    'Mozilla/5.0 (compatible) facebookexternalhit/1.1 (+https://faviconkit.com/robots)',
    'faviconkit',
  ],
  // New and renamed agents
  [
    'a new agent',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-Training/1.0; +https://docs.mistral.ai/robots)',
    'MistralAI-Training',
  ],
  ['a new agent', `${CHROME} Safari/537.36 DebugBear`, 'DebugBear'],
  ['a new agent', 'PodnadoBot/1.0', 'PodnadoBot'],
  ['a new agent', 'codex_cli_rs/0.46.0 (Ubuntu 22.4.0; x86_64) xterm-256color', 'Codex CLI'],
  ['a new agent', 'CoinbaseBazaarDiscovery/1.0 (+https://docs.cdp.coinbase.com/x402)', 'CoinbaseBazaarDiscovery'],
  ['a new agent', 'x402-indexer/1.0', 'x402 scanner'],
  ['a new agent', 'x402-observer/1.0 (uptime+trust monitor; +https://x402.example/trust)', 'x402 scanner'],
  ['a new agent', 'x402-census-probe/2.1 (independent index research)', 'x402 scanner'],
  ['a new agent', 'Mozilla/5.0 (compatible; x402-leaderboard-bot/1.0)', 'x402 scanner'],
  ['a new agent', 'AgentIndexBot/0.1 (+https://agents.traderszone.net; polite ARD crawler)', 'AgentIndexBot'],
  [
    'a renamed agent',
    'Mozilla/5.0 (compatible; Google-NotebookLM; +https://notebooklm.google.com/)',
    'Google-GeminiNotebook',
  ],
];

describe('AgentMatcher', () => {
  it.each(CASES)('finds the sender in a User-Agent with %s: %s', (_, userAgent, agent) => {
    expect(findToken(userAgent)).toBe(agent);
  });
});

/** User-Agents that contain an agent's name (`NAME` or `name`) without identifying the agent. */
const NAME_CONTEXTS: [where: string, userAgent: string][] = [
  ['a host name', 'Qwz/1.0 (+https://name.example/)'],
  ['a host name', 'Qwz/1.0 (+https://www.name-shop.example)'],
  ['a host name', 'Qwz/1.0 (see name-shop.example)'],
  ['a path', 'Qwz/1.0 (+https://qwz.example/NAME/about)'],
  ['a path', 'Qwz/1.0 (+https://qwz.example/why-we-like-name/)'],
  ['a query', 'Qwz/1.0 (+https://qwz.example/?q=NAME)'],
  ['an email address', 'Qwz/1.0 (name@qwz.example)'],
  ['an email address', 'Qwz/1.0 (qwz@name.example)'],
  ['a longer word', 'qwzNAMEqwz/1.0'],
  ['a longer word', 'Qwz/1.0 (qwznameqwz)'],
  ['a compound', 'qwz-name/1.0'],
];
/** Like {@link NAME_CONTEXTS}, but for names that devices or apps can also have. */
const PERSONAL_NAME_CONTEXTS: [where: string, userAgent: string][] = [
  [
    'a device',
    'Mozilla/5.0 (Linux; Android 14; NAME Build/UP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
  ['a device', 'Dalvik/2.1.0 (Linux; U; Android 14; NAME)'],
  ['an app on Electron', `${MAC} NAME/4.20.0 Chrome/140.0.0.0 Electron/38.1.0 Safari/537.36`],
  ['a browser within an app', `${IPHONE} Mobile/15E148 NAME/4.1`],
  ['a browser within an app', `${ANDROID_VIEW} NAME/4.1`],
  ['an app', 'NAME/4.1 CFNetwork/1490.0.4 Darwin/23.2.0'],
];

describe('AgentMatcher with agent names in other text', () => {
  const names = catalog.agents
    .filter(({ user_agent_patterns: patterns }) => patterns.length > 0)
    .map(({ token, robots_token, loose_patterns: loose }) => ({ token, name: robots_token ?? token, loose }))
    .filter(({ name }) => /^[\w-]+$/.test(name) && /[a-z]/i.test(name));
  const findIdentified = (contexts: typeof NAME_CONTEXTS, candidates: typeof names): string[] =>
    candidates.flatMap(({ token, name }) =>
      contexts
        .map(([, text]) => text.replaceAll('NAME', name).replaceAll('name', name.toLowerCase()))
        .filter((userAgent) => findToken(userAgent) === token),
    );

  it('tests the names of at least 1,600 agents', () => {
    expect(names.length).toBeGreaterThanOrEqual(1_600);
  });

  it('ignores names within contact addresses, words and compounds', () => {
    expect(findIdentified(NAME_CONTEXTS, names)).toEqual([]);
  });

  it('ignores names of devices and apps unless they suggest a program', () => {
    const ambiguousNames = names.filter(
      ({ name, loose }) => !/bot|crawl|spider|scrap|fetch|scan/i.test(name) && !loose,
    );
    expect(ambiguousNames.length).toBeGreaterThanOrEqual(500);
    expect(findIdentified(PERSONAL_NAME_CONTEXTS, ambiguousNames)).toEqual([]);
  });
});
