import { capitalize, getOwn } from './results.js';

interface AutomationSignText {
  label: string;
  sentence: string;
}

export const AUTOMATION_SIGNS = {
  no_user_agent: {
    label: 'No user agent',
    sentence: 'The request has no user agent. All browsers send one.',
  },
  bot_name: {
    label: 'Named like a bot',
    sentence: 'The user agent contains a word such as bot, crawler, spider, or fetcher.',
  },
  http_library: {
    label: 'HTTP library',
    sentence: 'The user agent names an HTTP library, a tool or a programming language.',
  },
  compatible_name: {
    label: 'Looks like a crawler',
    sentence:
      'It introduces itself as crawlers do: after “compatible” or “like Gecko”, or with a link after a plus sign or its name.',
  },
  bare_name: {
    label: 'No browser in its user agent',
    sentence: 'The user agent names a program, but no browser, device or operating system that people use.',
  },
  signed: {
    label: 'Signed request',
    sentence: 'The request is signed or names a key directory (Web Bot Auth). Browsers never do this.',
  },
  headless: {
    label: 'Headless browser',
    sentence: 'The client hints name a headless browser, which only programs use.',
  },
  client_hints: {
    label: 'Contradictory client hints',
    sentence: 'The client hints name a different browser, version or operating system than the user agent.',
  },
  from_header: {
    label: 'From header',
    sentence: 'The request has a From header with an email address. Only crawlers send one.',
  },
  markdown: {
    label: 'Prefers Markdown',
    sentence: 'The Accept header prefers Markdown to HTML, which no browser does.',
  },
  handwritten: {
    label: 'Handwritten user agent',
    sentence:
      'The user agent looks handwritten: it starts with a quote or the header name, or ends after the operating system.',
  },
  impossible_browser: {
    label: 'Browser that never existed',
    sentence: 'This browser never existed: the version was never released, or not for this operating system.',
  },
  obsolete_browser: {
    label: 'Obsolete browser',
    sentence: 'The browser version is over 15 years old and can’t open today’s HTTPS sites without a proxy.',
  },
  not_a_browser: {
    label: 'Not a browser',
    sentence: 'The user agent does not have the format that browsers use.',
  },
  no_system: {
    label: 'No operating system',
    sentence: 'The user agent does not name a device or operating system that people browse with.',
  },
  mistake: {
    label: 'Mistake',
    sentence: 'The user agent has a mistake: Chrome without a version, a truncated version or a trailing quote.',
  },
  contact: {
    label: 'Gives a contact address',
    sentence: 'The user agent contains a link, a domain or an email address.',
  },
  isbot: {
    label: 'On the isbot list',
    sentence: 'The user agent, apart from its links, matches a pattern in the public isbot list.',
  },
  old_browser: {
    label: 'Old browser',
    sentence: 'The browser version is years old, and no client hints confirm it.',
  },
  client_hints_doubt: {
    label: 'Unusual client hints',
    sentence: 'The client hints and the user agent differ in a way that proxies and desktop-site modes can cause.',
  },
  no_accept_language: {
    label: 'No Accept-Language header',
    sentence: 'The request has no Accept-Language header. Browsers send one.',
  },
  robots_txt: {
    label: 'Fetched robots.txt',
    sentence: 'The visitor fetched robots.txt, which people rarely do.',
  },
  data_center: {
    label: 'Data center',
    sentence:
      'The client address is in the published ranges of a cloud or hosting provider. VPN users can have such an address, too.',
  },
} as const satisfies Readonly<Record<string, AutomationSignText>>;
export type AutomationSign = keyof typeof AUTOMATION_SIGNS;

/** Returns the display texts for a sign. Derives them from the ID if the sign comes from a newer release. */
export function describeAutomationSign(sign: string): { label: string; sentence: string } {
  const label = capitalize(sign.replaceAll('_', ' '));
  return getOwn<AutomationSignText>(AUTOMATION_SIGNS, sign) ?? { label, sentence: `${label}.` };
}
