import { agentTypeNamed, ROBOTS_TXT_FORMATS, type PublicIdentification, type RulesSelection } from '#libs/contracts';
import { AgentRules, ANYBODY, groupsFor, readRobotsFile, rulePath } from '#libs/robots';

const ROBOTS_TXT = '/robots.txt';

/** Applies a project's saved rules to a single request. */
export class RefusalRules {
  private readonly types: ReadonlySet<string | null>;
  private readonly operators: ReadonlySet<string>;
  private readonly tokens: ReadonlySet<string>;
  private readonly tokensByBehavior: ReadonlySet<string>;
  private readonly disallowed: AgentRules;

  /**
   * @param excludedTokens Tokens of agents that the selection excludes, by their own token or their name in robots.txt.
   * Case-insensitive.
   * @param tokensByBehavior Tokens of agents with one of the selection's behaviors.
   */
  constructor(selection: RulesSelection, excludedTokens: readonly string[], tokensByBehavior: readonly string[] = []) {
    this.types = new Set(selection.agent_types.map(agentTypeNamed));
    this.operators = lowerCased(selection.excluded_operator_names);
    this.tokens = lowerCased(excludedTokens);
    this.tokensByBehavior = lowerCased(tokensByBehavior);
    // Only robots.txt formats can contain a path. In other formats, the rules cover the entire site.
    const hasPath = ROBOTS_TXT_FORMATS.some((format) => format === selection.format);
    const path = hasPath ? rulePath(selection.disallow ?? '/') : '/';
    const file = readRobotsFile(new TextEncoder().encode(`User-agent: ${ANYBODY}\nDisallow: ${path}`));
    this.disallowed = new AgentRules(groupsFor(file, ANYBODY));
  }

  /** @param path With its query and a leading slash. */
  refuse(visitor: PublicIdentification, path: string): boolean {
    return this.isNamed(visitor) && [path, ...servedPaths(path)].some((each) => this.isDisallowed(each));
  }

  /** Returns whether the visitor claims to be one of the agents. Unverified claims count, too. */
  private isNamed({
    agent_token: token,
    agent_type_name: type,
    operator_name: operator,
  }: PublicIdentification): boolean {
    if (token === undefined || type === undefined) return false;
    if (!this.types.has(type) && !this.tokensByBehavior.has(token.toLowerCase())) return false;
    return !this.tokens.has(token.toLowerCase()) && !this.operators.has((operator ?? '').toLowerCase());
  }

  private isDisallowed(path: string): boolean {
    return this.disallowed.find(path)?.rule.isAllow === false;
  }
}

/**
 * Returns whether a request is for robots.txt. Crawlers must be able to read it: they treat a 403 as permission to
 * fetch everything (RFC 9309).
 */
export const isForRobotsTxt = (path: string): boolean => path.split('?', 1)[0] === ROBOTS_TXT;

const lowerCased = (names: readonly string[] = []): Set<string> => new Set(names.map((name) => name.toLowerCase()));

/**
 * Returns the path as servers may resolve it. Some cut it at `#`, others treat `#` as an ordinary character
 * (`/a#/../private` is `/private`).
 */
const servedPaths = (path: string): string[] =>
  path.includes('#') ? [servedPath(path), servedPath(path.replaceAll('#', '%23'))] : [servedPath(path)];

/** Resolves a path as servers do. `/a/../private//x` becomes `/private/x`, and so do versions with escaped slashes. */
function servedPath(path: string): string {
  const start = path.indexOf('?');
  const [before, query] = start === -1 ? [path, ''] : [path.slice(0, start), path.slice(start)];
  const merged = before.replaceAll(/%2f/gi, '/').replaceAll(/\/+/g, '/');
  return (URL.parse(`http://host${merged}`)?.pathname ?? merged) + query;
}
