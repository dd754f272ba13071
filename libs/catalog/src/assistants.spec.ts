import { assistantFaults } from './assistant-faults.js';
import { bundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const { agents, assistants } = bundledCatalog();
const { referrals } = compileCatalog(bundledCatalog());

const sentBy = (headers: Record<string, string>, path = '/'): string | null => {
  const referral = referrals.find({ path, headers }, ['shop.example']);
  return referral === null ? null : `${referral.assistant}, ${referral.operator}`;
};

it('contains valid, distinct assistants sorted by name', () => {
  const faults = assistants.flatMap((one) =>
    assistantFaults(
      one,
      assistants.filter((other) => other !== one),
    ),
  );
  expect(faults).toEqual([]);
  const names = assistants.map(({ name }) => name.toLowerCase());
  expect(names).toEqual([...new Set(names)].toSorted());
  expect(assistants.filter(({ sources }) => !sources?.length)).toEqual([]);
});

/** Operators without a known agent. */
const WITHOUT_AGENTS = ['Genspark', 'Inflection', 'Jasper', 'T3 Chat', 'Writesonic'];

it('spells operators as the agents do', () => {
  const known = new Set(agents.map(({ operator }) => operator));
  const others = assistants.map(({ operator }) => operator).filter((operator) => !known.has(operator));
  expect(others.toSorted()).toEqual(WITHOUT_AGENTS);
  const plain = (text: string | null) => (text ?? '').toLowerCase().replace(/\W|\b(?:ai|inc|labs?)\b/g, '');
  const spelled = new Set(agents.map(({ operator }) => plain(operator)));
  expect(WITHOUT_AGENTS.filter((operator) => spelled.has(plain(operator)))).toEqual([]);
});

it.each([
  ['perplexity.ai', 'Perplexity, Perplexity'],
  ['www.perplexity.ai', 'Perplexity, Perplexity'],
  ['chatgpt.com', 'ChatGPT, OpenAI'],
  ['chat.openai.com', 'ChatGPT, OpenAI'],
  ['gemini.google.com', 'Gemini, Google'],
  ['bard.google.com', 'Gemini, Google'],
  ['notebooklm.google.com', 'NotebookLM, Google'],
  ['copilot.microsoft.com', 'Copilot, Microsoft'],
  ['edgeservices.bing.com', 'Copilot in Edge, Microsoft'],
  ['copilot.cloud.microsoft', 'Microsoft 365 Copilot, Microsoft'],
  ['m365.cloud.microsoft', 'Microsoft 365 Copilot, Microsoft'],
  ['claude.ai', 'Claude, Anthropic'],
  ['www.meta.ai', 'Meta AI, Meta'],
  ['chat.mistral.ai', 'Le Chat, Mistral AI'],
  ['mistral.ai', 'Le Chat, Mistral AI'],
  ['grok.com', 'Grok, xAI'],
  ['grok.x.ai', 'Grok, xAI'],
  ['you.com', 'You.com, You.com'],
  ['poe.com', 'Poe, Quora'],
  ['chat.deepseek.com', 'DeepSeek, DeepSeek'],
  ['pi.ai', 'Pi, Inflection'],
  ['duck.ai', 'Duck.ai, DuckDuckGo'],
  ['phind.com', 'Phind, Phind'],
  ['t3.chat', 'T3 Chat, T3 Chat'],
  ['iask.ai', 'iAsk, iAsk'],
  ['character.ai', 'Character.AI, Character Technologies'],
  ['chatglm.cn', 'ChatGLM, Zhipu AI'],
  ['chat.qwen.ai', 'Qwen, Alibaba'],
  ['app.jasper.ai', 'Jasper, Jasper'],
  ['writesonic.com', 'Writesonic, Writesonic'],
  ['kimi.moonshot.cn', 'Kimi, Moonshot AI'],
  // Search engines, companies' own sites, editors, and imitations.
  ['duckduckgo.com', null],
  ['openai.com', null],
  ['www.openai.com', null],
  ['labs.openai.com', null],
  ['google.com', null],
  ['www.bing.com', null],
  ['x.com', null],
  ['x.ai', null],
  ['deepseek.com', null],
  ['anthropic.com', null],
  ['kagi.com', null],
  ['cursor.com', null],
  ['chat-gpt.org', null],
])('identifies the assistant for the host %s: %p', (host, expected) => {
  expect(sentBy({ referer: `https://${host}/` })).toBe(expected);
});

it('identifies the assistant from query parameters and Android apps', () => {
  expect(sentBy({}, '/?utm_source=chatgpt.com')).toBe('ChatGPT, OpenAI');
  expect(sentBy({}, '/?utm_source=ChatGPT')).toBe('ChatGPT, OpenAI');
  expect(sentBy({}, '/?utm_source=perplexity')).toBe('Perplexity, Perplexity');
  expect(sentBy({}, '/?utm_source=copilot.com')).toBe('Copilot, Microsoft');
  expect(sentBy({}, '/?utm_source=openai')).toBeNull();
  expect(sentBy({}, '/?utm_source=openai.com')).toBeNull();
  expect(sentBy({ referer: 'android-app://ai.perplexity.app.android/' })).toBe('Perplexity, Perplexity');
  expect(sentBy({ referer: 'android-app://com.openai.chatgpt' })).toBe('ChatGPT, OpenAI');
  expect(sentBy({ referer: 'android-app://com.google.android.googlequicksearchbox/' })).toBeNull();
});

it('rejects custom assistants with invalid or already assigned members', () => {
  const faultsOf = (members: object) =>
    assistantFaults(
      { name: 'Mine', operator: 'Me', hosts: [], query_values: [], android_apps: [], ...members },
      assistants,
    ).map(({ pointer, detail }) => `${pointer} ${detail}`);
  expect(faultsOf({ hosts: ['chat.example.com'], query_values: ['mine'], android_apps: ['com.example.mine'] })).toEqual(
    [],
  );
  expect(faultsOf({ hosts: ['com'] })).toEqual([expect.stringMatching(/^\/hosts\/0 must be a host name .*"com"/)]);
  expect(faultsOf({ hosts: ['https://a.example/'] })).toHaveLength(1);
  expect(faultsOf({ hosts: ['Chat.example.com'] })).toHaveLength(1);
  expect(faultsOf({ hosts: ['claude.ai'] })).toEqual(['/hosts/0 is of Claude already: remove it there first']);
  expect(faultsOf({ query_values: ['Mine '] })).toHaveLength(1);
  expect(faultsOf({ android_apps: ['mine'] })).toHaveLength(1);
  expect(faultsOf({})).toEqual([expect.stringMatching(/^\/hosts must contain a host/)]);
  expect(faultsOf({ name: ' Mine', hosts: ['a.example'] })).toEqual([expect.stringMatching(/^\/name/)]);
});
