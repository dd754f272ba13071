/** Agents that an operator could add. Their names and patterns contain special syntax of web server configurations. */
import type { AgentRecord } from '../../libs/catalog/src/catalog.js';

const createAgent = (token: string, ...pairs: [pattern: string, sample?: string][]): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: pairs.map(([pattern]) => pattern),
  sample_user_agents: pairs.flatMap(([, sample]) => sample ?? []),
  robots_token: null,
  verification: {},
});

/** Texts that nearly reach the maximum pattern length when joined with `|`. */
const manyTexts = Array.from('abcdefghijklmnopqrst', (letter) => `many-${letter.repeat(19)}`);
const insideTexts = Array.from('abcdefghijklmnopqrst', (letter) => letter.repeat(20));

export const HOSTILE_AGENTS: AgentRecord[] = [
  createAgent('a" 1; } server { return 200; } #', ['quote"bot', 'quote"bot/1']),
  createAgent(
    "b' \\",
    ["apostrophe'bot", "apostrophe'bot/1"],
    ['back\\\\slash', 'back\\slash/1'],
    ['ends\\\\$', 'it ends\\'],
  ),
  createAgent(
    '$http_host ${HOME} {$HOME} {env.HOME}',
    ['\\$http_host', 'bot $http_host'],
    ['\\$\\{HOME\\}', 'bot ${HOME}'],
  ),
  createAgent('{env.HOME} { }', ['\\{env\\.HOME\\}', 'bot {env.HOME}'], ['brace\\{\\{\\}', 'brace{{}']),
  createAgent('`tick`', ['`tick`', '`tick`bot']),
  createAgent('# comment */ // --', ['#hash', 'x #hash'], ['\\*\\/star', '*/star'], ['hash#', 'hash#']),
  createAgent(
    '; %{HTTP_HOST} %',
    [';semi', 'x;semi'],
    ['%\\{HTTP_HOST\\}', '%{HTTP_HOST}'],
    ['per%20cent', 'per%20cent'],
  ),
  createAgent('<If> </If> <Location />', ['<If>', 'bot <If>'], ['<\\/If><\\/ElseIf>', '</If></ElseIf>']),
  createAgent('a  b\u00a0c é 漢字', ['two  spaces', 'bot two  spaces'], ['tab[^\\w]bot', 'tab\tbot']),
  createAgent('Café', ['Caf[^\\w] bot', 'CAF\u00c9 BOT'], ['nav.\\.bot', 'nav\u00ef.bot'], ['nave[^\\w]$', 'naveÏ']),
  createAgent('漢字', ['bot ..:', 'bot \u6f22\u5b57:'], ['kanji[^\\d][^\\w]', 'kanji\u6f22\u5b57']),
  createAgent('Emoji', ['robot[^a-z ]', 'robot\ud83e\udd16'], ['face.{1,4}$', 'face\ud83d\ude00']),
  createAgent(
    'Any',
    ['any[^\\d]thing', 'any\u6f22thing'],
    ['any[^x]other', 'any\u00e9other'],
    ['any.more', 'any\u{6f22}more'],
  ),
  createAgent('Spans', ['from.{0,20}until', 'from \u6f22\u5b57 until'], ['span\\([^()]*\\)', 'span(x \u6f22)']),
  createAgent(
    'Class',
    ['class[\\[:alpha:]x', 'class[x'],
    ['class[\\]\\-\\\\^$#"]y', 'class#y'],
    ['[$]dollar', '$dollar'],
  ),
  createAgent('Control', ['ctrl[^ -~]x', 'ctrl\tx']),
  createAgent('Group', ['(?:named)bot', 'namedbot'], ['(?:group)(?:ed|s)?$', 'groups']),
  {
    ...createAgent('Not like', ['Plainbot', 'Plainbot/1'], ['Endbot(?:$|[^\\/]|\\/(?:$|[^2]))', 'Endbot/1']),
    excluded_prefixes: ['like ', 'Alike', '-', '"'],
  },
  createAgent('Many', [manyTexts.join('|'), `xx ${manyTexts.at(-1)} xx`]),
  createAgent('Many inside', [`inside(?:${insideTexts.join('|')})ends`, `inside${insideTexts.at(-1)}ends`]),
  createAgent('Long', [`Z${'l'.repeat(499)}`, `Z${'L'.repeat(499)}`]),
  createAgent('Never', [`Y${'n'.repeat(499)}`]),
  createAgent('Repeats', ['rep[ab]{1,100}x', 'repabx'], ['reps[ab]{90,110}x', `reps${'a'.repeat(100)}x`]),
  createAgent(
    'Repeats characters',
    ...Array.from('abcdefghijklmnopqrst', (letter): [string, string] => [
      `run${letter}[^x]{280}$`,
      `run${letter}${'y'.repeat(280)}`,
    ]),
  ),
  createAgent('Plain', ['Plain', 'Plain/1']),
  createAgent('Plain-Image', ['Plain-Image', 'Plain-Image/1']),
];

/** User agents that match `HOSTILE_AGENTS`, in addition to the samples. */
export const HOSTILE_USER_AGENTS = [
  'quote"BOT',
  'caf\u00e9 bot',
  'CAF\u00c9 bot',
  'nav\u00cf.bot',
  'nave\u00f1',
  manyTexts[0]!,
  'like Plainbot Plainbot',
  'ike Plainbot',
  'xlike  Plainbot',
  '-Plainbot ike Plainbot',
  'Endbot',
  'Endbot/',
  'Endbot/2 Endbot/3',
  'any\u20acthing',
  'class]y',
  'class^y',
  'class\\y',
  'from until',
  'plain-IMAGE',
];

/** User agents that don't match any of `HOSTILE_AGENTS`. */
export const UNMATCHED_USER_AGENTS = [
  'never',
  'quotebot',
  'http_host',
  'bot HOME',
  'bot /root',
  '127.0.0.1',
  'back slash',
  'ends\\ not',
  'brace{}',
  'two spaces',
  'cafe bot',
  'naveo',
  'kanji\u6f22',
  'robot',
  'classex',
  'like Pla1nbot',
  'Endbot/2',
  'from here it is much too far until',
  `${manyTexts[0]!.slice(0, -1)}x`,
  `inside${insideTexts[0]}end`,
  'repx',
  'dollar',
];
