import type { Agent, CompiledCatalog } from '#libs/catalog';
import { comment, namesComment } from './comment.js';
import type { Dialect } from './pattern-text.js';
import { userAgentRules, type UserAgentRule } from './user-agent-rules.js';

interface ConfigurationTemplate {
  dialect: Dialect;
  /** Installation instructions, one comment line per entry. */
  usage: readonly string[];
  before: string;
  rule: (rule: UserAgentRule) => string;
  after: string;
  /** Indentation of the comments above each rule. */
  indentation: string;
}

/**
 * Returns a server configuration snippet that blocks the listed agents. Lines end in LF, including the last one.
 */
export function configurationText(
  listed: readonly Agent[],
  catalog: CompiledCatalog,
  wording: ConfigurationTemplate,
): string {
  const targets = new Map(listed.map((agent) => [agent, '1']));
  const { rules, unrecognizable, unsupported } = userAgentRules(targets, catalog, wording.dialect);
  const count = new Set(rules.flatMap(({ target, tokens }) => (target === null ? [] : tokens))).size;
  return [
    `# Agent Traffic: blocks ${count} ${count === 1 ? 'agent' : 'agents'} by User-Agent; catalog ${catalog.version}.\n`,
    ...wording.usage.map((line) => `# ${line}`.trimEnd() + '\n'),
    wording.before,
    rulesText(rules, wording),
    wording.after,
    namedComment("Not blocked, because these agents can't be recognized by User-Agent:", unrecognizable),
    namedComment(
      'Only partly blocked, because some patterns are unsupported. Edit these agents to fix them:',
      unsupported,
    ),
  ].join('');
}

/** Returns the rules with comments that contain the names of their agents. */
export const rulesText = (
  rules: readonly UserAgentRule[],
  { rule: toText, indentation }: Pick<ConfigurationTemplate, 'rule' | 'indentation'>,
): string =>
  rules
    .map((rule) => {
      const names = namesComment(rule.tokens, indentation);
      return `\n${comment(ruleComments(rule), indentation)}${names}${toText(rule)}`;
    })
    .join('');

function ruleComments({ target, tokens }: UserAgentRule): string[] {
  if (target !== null) return [];
  if (tokens.length > 0) return ['Not affected, even if the User-Agent also names another agent:'];
  return ['Ordinary browsers. This skips all rules below for most visitors.'];
}

export const namedComment = (reason: string, tokens: string[]): string =>
  tokens.length === 0 ? '' : `\n${comment([reason])}${namesComment(tokens)}`;
