import { findAssistantFaults } from './assistant-faults.js';
import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const { agents, assistants } = getBundledCatalog();
const { referrals } = compileCatalog(getBundledCatalog());

const findReferral = (headers: Record<string, string>, path = '/'): string | null => {
  const referral = referrals.find({ path, headers }, ['shop.example']);
  return referral === null ? null : `${referral.assistant}, ${referral.operator}`;
};

it('contains only valid, distinct assistants sorted by name', () => {
  const faults = assistants.flatMap((one) =>
    findAssistantFaults(
      one,
      assistants.filter((other) => other !== one),
    ),
  );
  expect(faults).toEqual([]);
  const names = assistants.map(({ name }) => name.toLowerCase());
  expect(names).toEqual([...new Set(names)].toSorted());
  expect(assistants.filter(({ sources }) => !sources?.length)).toEqual([]);
});

/** Operators without an agent in the catalog. */
const WITHOUT_AGENTS = ['Genspark', 'Inflection', 'Jasper', 'T3 Chat', 'Writesonic'];

it('uses the same operator names as the agents', () => {
  const agentOperators = new Set(agents.map(({ operator }) => operator));
  const others = assistants.map(({ operator }) => operator).filter((operator) => !agentOperators.has(operator));
  expect(others.toSorted()).toEqual(WITHOUT_AGENTS);
  const normalize = (text: string | null) => (text ?? '').toLowerCase().replace(/\W|\b(?:ai|inc|labs?)\b/g, '');
  const normalizedOperators = new Set(agents.map(({ operator }) => normalize(operator)));
  expect(WITHOUT_AGENTS.filter((operator) => normalizedOperators.has(normalize(operator)))).toEqual([]);
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
  // Search engines, corporate sites, editors and imitations.
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
  expect(findReferral({ referer: `https://${host}/` })).toBe(expected);
});

it('identifies the assistant by query parameter and Android app', () => {
  expect(findReferral({}, '/?utm_source=chatgpt.com')).toBe('ChatGPT, OpenAI');
  expect(findReferral({}, '/?utm_source=ChatGPT')).toBe('ChatGPT, OpenAI');
  expect(findReferral({}, '/?utm_source=perplexity')).toBe('Perplexity, Perplexity');
  expect(findReferral({}, '/?utm_source=copilot.com')).toBe('Copilot, Microsoft');
  expect(findReferral({}, '/?utm_source=openai')).toBeNull();
  expect(findReferral({}, '/?utm_source=openai.com')).toBeNull();
  expect(findReferral({ referer: 'android-app://ai.perplexity.app.android/' })).toBe('Perplexity, Perplexity');
  expect(findReferral({ referer: 'android-app://com.openai.chatgpt' })).toBe('ChatGPT, OpenAI');
  expect(findReferral({ referer: 'android-app://com.google.android.googlequicksearchbox/' })).toBeNull();
});

it('rejects custom assistants with values that are invalid or already in use', () => {
  const getFaults = (members: object) =>
    findAssistantFaults(
      { name: 'Mine', operator: 'Me', hosts: [], query_values: [], android_apps: [], ...members },
      assistants,
    ).map(({ pointer, detail }) => `${pointer} ${detail}`);
  expect(
    getFaults({ hosts: ['chat.example.com'], query_values: ['mine'], android_apps: ['com.example.mine'] }),
  ).toEqual([]);
  expect(getFaults({ hosts: ['com'] })).toEqual([
    expect.stringMatching(/^\/hosts\/0 must be a lowercase host name .*"com"/),
  ]);
  expect(getFaults({ hosts: ['https://a.example/'] })).toHaveLength(1);
  expect(getFaults({ hosts: ['Chat.example.com'] })).toHaveLength(1);
  expect(getFaults({ hosts: ['claude.ai'] })).toEqual(['/hosts/0 already belongs to Claude. Remove it there first']);
  expect(getFaults({ query_values: ['Mine '] })).toHaveLength(1);
  expect(getFaults({ android_apps: ['mine'] })).toHaveLength(1);
  expect(getFaults({})).toEqual([expect.stringMatching(/^\/hosts must contain a host/)]);
  expect(getFaults({ name: ' Mine', hosts: ['a.example'] })).toEqual([expect.stringMatching(/^\/name/)]);
});
