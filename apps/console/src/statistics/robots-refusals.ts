import { FILE_ANSWERS, MIN_ROBOTS_REFUSALS, type AgentFileFetches, type RobotsRefused } from '#libs/contracts';

/** Answers from which an agent can't learn the rules. A redirect can lead to the file, so it isn't one of them. */
const REFUSALS = ['html', 'challenge', 'refused', 'error'] as const;
/** Minimum share of an agent's requests, so that a short outage doesn't count. */
const MIN_SHARE = 0.5;

type Agents = { agent_id: string; visits: number }[];

/**
 * Returns the agents that didn't get robots.txt in most of their requests for it, or null if there were too few.
 *
 * @param files Fetches by agents, without failed verifications.
 * @param isHtmlFile Whether the file itself has the content type HTML.
 */
export function findRobotsRefusals(
  files: readonly (AgentFileFetches & { agent_id: string })[],
  isHtmlFile = false,
): (Omit<RobotsRefused, 'agents'> & { agents: Agents }) | null {
  const refused = files
    .filter(isRobotsFile)
    .map((file) => (isHtmlFile ? { ...file, answers: countHtmlAsFile(file.answers) } : file))
    .map((file) => ({ ...file, refusals: REFUSALS.reduce((sum, answer) => sum + file.answers[answer], 0) }))
    .filter(({ visits, refusals }) => refusals > 0 && refusals >= MIN_SHARE * visits);
  const result = { visits: 0, fetches: 0, answers: createAnswers() };
  for (const { visits, refusals, answers } of refused) {
    result.visits += refusals;
    result.fetches += visits;
    for (const answer of FILE_ANSWERS) result.answers[answer] += answers[answer];
  }
  if (result.visits < MIN_ROBOTS_REFUSALS) return null;
  const agents = refused
    .map(({ agent_id, refusals }) => ({ agent_id, visits: refusals }))
    .toSorted((one, other) => other.visits - one.visits);
  return { ...result, agents };
}

export const isRobotsFile = ({ path }: { path: string }): boolean => path === '/robots.txt';

const countHtmlAsFile = (answers: AgentFileFetches['answers']): AgentFileFetches['answers'] => ({
  ...answers,
  file: answers.file + answers.html,
  html: 0,
});

export const createAnswers = (): AgentFileFetches['answers'] =>
  Object.fromEntries(FILE_ANSWERS.map((answer) => [answer, 0])) as AgentFileFetches['answers'];
