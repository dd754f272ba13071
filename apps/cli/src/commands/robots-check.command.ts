import { Command } from 'commander';
import { EXIT } from '../cli-error.js';
import { collect } from '../options.js';
import { decideRobotsAccess } from '#libs/robots';
import { describeAgent, describeTruncation, describeDecision } from '../robots/decision-text.js';
import { allowPrivateOption } from '../robots/robots-options.js';
import { readRobots } from '../robots/robots-source.js';
import { robotsError } from '../robots/robots-error.js';
import { note, print } from '../output.js';

const HELP = `
Follows RFC 9309 and shows which line decides. Needs no instance. A full
User-Agent is looked up in this release's bundled catalog. A 4xx response means
that the site has no robots.txt. After a 5xx response, the result is unknown.

Exit codes: 0 all agents allowed, 1 at least one agent not allowed, 2 usage error
or unknown result.

Examples:
  agent-traffic robots check https://example.com/private/a --user-agent GPTBot
  agent-traffic robots check /private/a --user-agent GPTBot --file robots.txt
  agent-traffic robots check /private/a --user-agent '*' --file https://example.com
  agent-traffic robots check https://example.com/ --user-agent 'Mozilla/5.0 (compatible; bingbot/2.0)'
  curl -fsS https://example.com/robots.txt | agent-traffic robots check / --user-agent CCBot --file -`;

interface CheckOptions {
  userAgent: string[];
  file?: string;
  allowPrivate?: boolean;
}

export function checkCommand(exit: (code: number) => void): Command {
  return new Command('check')
    .description('check whether an agent may fetch a page, and which line in robots.txt decides')
    .argument('<path|url>', 'page to check; a path requires --file')
    .requiredOption(
      '-A, --user-agent <agent>',
      "robots.txt token, full User-Agent, or '*' for any other agent; repeatable",
      collect,
    )
    .option('--file <file|url|->', "robots.txt to use (default: the one on the page's site)")
    .addOption(allowPrivateOption())
    .addHelpText('after', HELP)
    .action(async (page: string, { userAgent: userAgents, file, allowPrivate }: CheckOptions) => {
      const { path, site } = parsePage(page);
      const from = file ?? site;
      if (from === null) {
        throw robotsError('No robots.txt specified.', "Add --file FILE or --file URL, or pass the page's full URL.");
      }
      // Imported lazily because it loads slowly.
      const { resolveRobotsAgent: robotsAgent } = await import('../robots/robots-agent.js');
      const agents = await Promise.all(userAgents.map(robotsAgent));
      const source = await readRobots(from, allowPrivate ?? false);
      const truncation = describeTruncation(source);
      if (truncation !== null) note(truncation);
      for (const [index, agent] of agents.entries()) {
        const decision = decideRobotsAccess(source.file, agent.token, path);
        const interpretation = describeAgent(userAgents[index]!, agent);
        if (interpretation !== null) print(interpretation);
        print(describeDecision(agent.token, path, decision, source));
        if (!decision.isAllowed) exit(EXIT.failure);
      }
    });
}

/** Returns the path and query, encoded as clients send them, and the site's origin, or null if `text` is a path. */
function parsePage(text: string): { path: string; site: string | null } {
  const isPath = text.startsWith('/');
  // Add an origin to paths, because a path that starts with two slashes would otherwise be parsed as a host name.
  const url = URL.parse(isPath ? `http://localhost${text}` : text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw robotsError(`Not a path or URL: ${text}`, 'A path must start with a slash, a URL with http:// or https://.');
  }
  url.hash = '';
  [url.username, url.password] = ['', ''];
  return { path: url.href.slice(url.origin.length), site: isPath ? null : url.origin };
}
