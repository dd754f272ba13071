import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const catalog = getBundledCatalog();
const { matcher } = compileCatalog(catalog);
const agents = catalog.agents.filter((agent) => agent.user_agent_patterns.length > 0);

/**
 * Agents that can't be identified by `<product token>/1.0`, so the test uses their first sample instead. These agents
 * send a name other than their display name (`Uptime.com`), don't send a product and version (`node`, `Rigor)`), or
 * share a token with another agent (`Exabot`, `Owler`).
 */
const NEED_SAMPLE = `
  Adventurer, Aegis scan, agent-tools.cloud, air.ai scanning, Amazon-EventBridge-ApiDestinations, Anthropic SDK,
  Asana, BlogTraffic Feed-Fetcher, Bluesky Link Preview, Burp Collaborator, Butterfly, BW, Castro 2, Chartable,
  Cloudflare Security Center, Codex CLI, cypex.ai scanning, Daum, dbot, Exabot (Exalead), Expanse, Faraday, fasthttp,
  faviconkit, Feeder, Fever, filterdb.iss.net, Freespoke, gdnplus.com, Goodreads, Google, Google Snippet Fetcher,
  Grammarly, httpx (ProjectDiscovery), HubPages, Hydra, iMessage, Instapaper, Invision Community, KakaoTalk, LCC,
  LINE, Magellan, Make, Microsoft Power Automate, monitis, Monitor.Us, nbertaupete95, Newsify, NewsNow, Nitro, node,
  Notify Ninja, Notion, Nuzzel, Odin, OpenAI SDK, OpenRobotsTXT, Operator, Other link previews, Owler, PDR Labs,
  Podroll Analyzer, Presearch, productsup.io crawler, Request-Promise, request.js, Riddler, Rigor, Ruby,
  securitytxt-scan, SpazioDati bot, Spider, splash, Splunk, Stripe, Tumblr, UkrNet Mail Proxy, upday, Uptime.com,
  Valve Steam, Verity, Vigil, visionheight.com/scan, WordPress.com feedbot, x402 scanner, YOURLS, Zao, ZoomInfo
`
  .trim()
  .split(/,\s+/);

/** Agents that other link previews imitate by appending the name to a browser's User-Agent. */
const IMITATED = new Set(['facebookexternalhit', 'Twitterbot']);

const findToken = (userAgent: string): string | undefined => matcher.match(userAgent)?.agent.token;

describe('AgentMatcher', () => {
  it('identifies agents by their product token', () => {
    const byToken = agents.filter(({ token, robots_token }) => findToken(`${robots_token ?? token}/1.0`) !== token);
    expect(byToken.map(({ token }) => token)).toEqual(NEED_SAMPLE);
    expect(agents.length - byToken.length).toBeGreaterThanOrEqual(1_910);
  });

  it('identifies agents that need a full User-Agent by their sample', () => {
    const bySample = agents.filter(({ token }) => NEED_SAMPLE.includes(token));
    expect(bySample.map(({ sample_user_agents }) => findToken(sample_user_agents?.[0] ?? ''))).toEqual(NEED_SAMPLE);
  });

  it('identifies product tokens in any case and after a browser', () => {
    // After a browser's User-Agent, a token doesn't have to identify its agent, but it must not identify a different
    // one.
    const wrong = agents.filter(({ token, robots_token }) => {
      if (NEED_SAMPLE.includes(token) || IMITATED.has(token)) return false;
      const product = robots_token ?? token;
      const afterBrowser = findToken(
        `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${product}/1.0`,
      );
      return (
        findToken(`${product.toUpperCase()}/1.0`) !== token || (afterBrowser !== undefined && afterBrowser !== token)
      );
    });
    expect(wrong.map(({ token }) => token)).toEqual([]);
  });
});
