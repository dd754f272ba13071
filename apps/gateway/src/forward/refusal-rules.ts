import { agentTypeNamed, ROBOTS_TXT_FORMATS, type PublicIdentification, type RulesSelection } from '#libs/contracts';
import { AgentRules, ANYBODY, groupsFor, readRobotsFile, rulePath } from '#libs/robots';

const ROBOTS_TXT = '/robots.txt';

/** What a project's saved rules mean for a single request. */
export class RefusalRules {
  private readonly types: ReadonlySet<string | null>;
  private readonly operators: ReadonlySet<string>;
  private readonly tokens: ReadonlySet<string>;
  private readonly tokensByBehavior: ReadonlySet<string>;
  private readonly disallowed: AgentRules;

  /**
   * @param excludedTokens agents that the selection excludes, by their own tokens or by those of robots.txt. In any case.
   * @param tokensByBehavior tokens of the agents that have one of the selection's behaviors
   */
  constructor(selection: RulesSelection, excludedTokens: readonly string[], tokensByBehavior: readonly string[] = []) {
    this.types = new Set(selection.agent_types.map(agentTypeNamed));
    this.operators = lowerCased(selection.excluded_operator_names);
    this.tokens = lowerCased(excludedTokens);
    this.tokensByBehavior = lowerCased(tokensByBehavior);
    // Only robots.txt can have a path; in other formats the agents are refused on all of them.
    const hasPath = ROBOTS_TXT_FORMATS.some((format) => format === selection.format);
    const path = hasPath ? rulePath(selection.disallow ?? '/') : '/';
    const file = readRobotsFile(new TextEncoder().encode(`User-agent: ${ANYBODY}\nDisallow: ${path}`));
    this.disallowed = new AgentRules(groupsFor(file, ANYBODY));
  }

  /** @param path with its query, starting with a slash. */
  refuse(visitor: PublicIdentification, path: string): boolean {
    return this.isNamed(visitor) && [path, ...servedPaths(path)].some((each) => this.isDisallowed(each));
  }

  /** Whether a visitor says that it is one of the agents; whether that is proven does not matter. */
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

/** Whether a request is for robots.txt, which crawlers have to be able to read: to them a 403 there allows everything (RFC 9309). */
export const isForRobotsTxt = (path: string): boolean => path.split('?', 1)[0] === ROBOTS_TXT;

const lowerCased = (names: readonly string[] = []): Set<string> => new Set(names.map((name) => name.toLowerCase()));

/** As servers look for a file: some end at a `#`, to others it is a character like any (`/a#/../private` is `/private`). */
const servedPaths = (path: string): string[] =>
  path.includes('#') ? [servedPath(path), servedPath(path.replaceAll('#', '%23'))] : [servedPath(path)];

/** The path by which servers look for a file: `/a/../private//x`, and with an escaped slash, is `/private/x`. */
function servedPath(path: string): string {
  const start = path.indexOf('?');
  const [before, query] = start === -1 ? [path, ''] : [path.slice(0, start), path.slice(start)];
  const merged = before.replaceAll(/%2f/gi, '/').replaceAll(/\/+/g, '/');
  return (URL.parse(`http://host${merged}`)?.pathname ?? merged) + query;
}
