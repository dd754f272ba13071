import type { Agent, CompiledCatalog } from '#libs/catalog';
import { comment, namesComment } from './comment.js';
import type { Dialect } from './pattern-text.js';
import { userAgentRules, type UserAgentRule } from './user-agent-rules.js';

interface Wording {
  dialect: Dialect;
  /** Installation instructions: one comment line each. */
  usage: readonly string[];
  before: string;
  rule: (rule: UserAgentRule) => string;
  after: string;
  /** Indentation of the comment before each rule. */
  indentation: string;
}

/** Returns part of a server's configuration that refuses the listed agents. LF line endings, including a final one. */
export function configurationText(listed: readonly Agent[], catalog: CompiledCatalog, wording: Wording): string {
  const { rules, unseen, unsaid } = userAgentRules(listed, catalog, wording.dialect);
  const { indentation } = wording;
  const count = new Set(rules.flatMap((rule) => (rule.refuses ? rule.tokens : []))).size;
  const ruleTexts = rules.map((rule) => {
    const names = namesComment(rule.tokens, indentation);
    return `\n${comment(reasonsOf(rule), indentation)}${names}${wording.rule(rule)}`;
  });
  return [
    `# Agent Traffic: refuses ${count} ${count === 1 ? 'agent' : 'agents'} by User-Agent; catalog ${catalog.version}.\n`,
    ...wording.usage.map((line) => `# ${line}`.trimEnd() + '\n'),
    wording.before,
    ...ruleTexts,
    wording.after,
    notRefused('Not refused, because their User-Agent tells nothing:', unseen),
    notRefused('Not refused by some of their patterns. Edit these agents to see what to write instead:', unsaid),
  ].join('');
}

function reasonsOf({ refuses, tokens }: UserAgentRule): string[] {
  if (refuses) return [];
  if (tokens.length > 0) return ['Let through, though a listed agent is named as well:'];
  return ['Browsers, in which nothing below can match; most visitors need not be looked at any further.'];
}

const notRefused = (reason: string, tokens: string[]): string =>
  tokens.length === 0 ? '' : `\n${comment([reason])}${namesComment(tokens)}`;
