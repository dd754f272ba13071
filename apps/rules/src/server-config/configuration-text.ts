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
  const { rules, unrecognizable, unsupported } = userAgentRules(listed, catalog, wording.dialect);
  const { indentation } = wording;
  const count = new Set(rules.flatMap((rule) => (rule.refuses ? rule.tokens : []))).size;
  const ruleTexts = rules.map((rule) => {
    const names = namesComment(rule.tokens, indentation);
    return `\n${comment(ruleComments(rule), indentation)}${names}${wording.rule(rule)}`;
  });
  return [
    `# Agent Traffic: blocks ${count} ${count === 1 ? 'agent' : 'agents'} by User-Agent; catalog ${catalog.version}.\n`,
    ...wording.usage.map((line) => `# ${line}`.trimEnd() + '\n'),
    wording.before,
    ...ruleTexts,
    wording.after,
    notBlockedComment("Not blocked, because these agents can't be recognized by User-Agent:", unrecognizable),
    notBlockedComment(
      'Only partly blocked, because some patterns are unsupported. Edit these agents to fix them:',
      unsupported,
    ),
  ].join('');
}

function ruleComments({ refuses, tokens }: UserAgentRule): string[] {
  if (refuses) return [];
  if (tokens.length > 0) return ['Allowed, even if the User-Agent also names a blocked agent:'];
  return ['Ordinary browsers. This skips all rules below for most visitors.'];
}

const notBlockedComment = (reason: string, tokens: string[]): string =>
  tokens.length === 0 ? '' : `\n${comment([reason])}${namesComment(tokens)}`;
