import { Command } from 'commander';
import { EXIT } from '../cli-error.js';
import { collect } from '../options.js';
import { decide } from '#libs/robots';
import { describeAgent, describeCut, describeDecision } from '../robots/decision-text.js';
import { allowPrivateOption } from '../robots/robots-options.js';
import { readRobots } from '../robots/robots-source.js';
import { trouble } from '../robots/robots-trouble.js';
import { note, print } from '../output.js';

const HELP = `
Decides by RFC 9309, and names the line that decides. Needs no instance. A whole
User-Agent is looked up among the agents of this release. A site that answers
with 4xx has no robots.txt; for one that answers with 5xx it cannot be told.

Exit codes: 0 allowed, 1 not allowed (any of several), 2 wrong usage, or it
can't be told.

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
    .description('show whether an agent may fetch a page, and the line of robots.txt that decides')
    .argument('<path|url>', 'the page; for a path, give its robots.txt with --file')
    .requiredOption(
      '-A, --user-agent <agent>',
      "a name in robots.txt, a whole User-Agent, or '*' for any; repeatable",
      collect,
    )
    .option('--file <file|url|->', "the robots.txt, if not that of the page's site")
    .addOption(allowPrivateOption())
    .addHelpText('after', HELP)
    .action(async (page: string, { userAgent: userAgents, file, allowPrivate }: CheckOptions) => {
      const { path, site } = parsePage(page);
      const from = file ?? site;
      if (from === null) {
        throw trouble('No robots.txt was given.', 'Add --file FILE or --file URL, or give the address of the page.');
      }
      // Loaded lazily: this import takes longer than reading a file.
      const { robotsAgent } = await import('../robots/robots-agent.js');
      const agents = await Promise.all(userAgents.map(robotsAgent));
      const source = await readRobots(from, allowPrivate ?? false);
      const cut = describeCut(source);
      if (cut !== null) note(cut);
      for (const [index, agent] of agents.entries()) {
        const decision = decide(source.file, agent.token, path);
        const taken = describeAgent(userAgents[index]!, agent);
        if (taken !== null) print(taken);
        print(describeDecision(agent.token, path, decision, source));
        if (!decision.isAllowed) exit(EXIT.failure);
      }
    });
}

/** Returns the path with its query, encoded as clients send it, and the site. The site is null if `text` is a path. */
function parsePage(text: string): { path: string; site: string | null } {
  const isPath = text.startsWith('/');
  // Without a host, a path that starts with two slashes would be parsed as a host name.
  const url = URL.parse(isPath ? `http://localhost${text}` : text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw trouble(`Neither a path nor an address: ${text}`, 'A path starts with a slash, an address with https://.');
  }
  url.hash = '';
  [url.username, url.password] = ['', ''];
  return { path: url.href.slice(url.origin.length), site: isPath ? null : url.origin };
}
