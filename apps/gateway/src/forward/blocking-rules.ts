import { findAgentType, ROBOTS_TXT_FORMATS, type PublicIdentification, type RulesSelection } from '#libs/contracts';
import { resolvePaths } from '#libs/policy';
import { AgentRules, ANY_AGENT, findGroups, parseRobotsFile, toRulePath } from '#libs/robots';

/** Decides whether a request is blocked by a project's saved rules. */
export class BlockingRules {
  private readonly types: ReadonlySet<string | null>;
  private readonly operators: ReadonlySet<string>;
  private readonly tokens: ReadonlySet<string>;
  private readonly selectedTokens: ReadonlySet<string>;
  private readonly disallowed: AgentRules;

  /**
   * @param excludedTokens Tokens of excluded agents, including agents excluded by their robots.txt name.
   * Case-insensitive.
   * @param selectedTokens Tokens of agents that are selected by name or behavior. Case-insensitive.
   */
  constructor(selection: RulesSelection, excludedTokens: readonly string[], selectedTokens: readonly string[] = []) {
    this.types = new Set(selection.agent_types.map(findAgentType));
    this.operators = toLowerCaseSet(selection.excluded_operator_names);
    this.tokens = toLowerCaseSet(excludedTokens);
    this.selectedTokens = toLowerCaseSet(selectedTokens);
    // Rules in robots.txt formats can be limited to a path. Rules in other formats always cover the entire site.
    const hasPath = ROBOTS_TXT_FORMATS.some((format) => format === selection.format);
    const path = hasPath ? toRulePath(selection.disallow ?? '/') : '/';
    const file = parseRobotsFile(new TextEncoder().encode(`User-agent: ${ANY_AGENT}\nDisallow: ${path}`));
    this.disallowed = new AgentRules(findGroups(file, ANY_AGENT));
  }

  /** @param path Path with a leading slash and its query string. */
  blocks(visitor: PublicIdentification, path: string): boolean {
    return this.isSelected(visitor) && [path, ...resolvePaths(path)].some((each) => this.isDisallowed(each));
  }

  /** Returns true if the visitor claims to be a selected agent, even if the claim isn't verified. */
  private isSelected({
    agent_token: token,
    agent_type_name: type,
    operator_name: operator,
  }: PublicIdentification): boolean {
    if (token === undefined || type === undefined) return false;
    if (!this.types.has(type) && !this.selectedTokens.has(token.toLowerCase())) return false;
    return !this.tokens.has(token.toLowerCase()) && !this.operators.has((operator ?? '').toLowerCase());
  }

  private isDisallowed(path: string): boolean {
    return this.disallowed.find(path)?.rule.isAllow === false;
  }
}

const toLowerCaseSet = (names: readonly string[] = []): Set<string> => new Set(names.map((name) => name.toLowerCase()));
