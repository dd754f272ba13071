import { getBundledCatalog } from '#libs/catalog';
import { resolveRobotsAgent } from './robots-agent.js';

it('returns robots.txt tokens unchanged', async () => {
  for (const token of ['GPTBot', 'gptbot', 'Nobody-Knows_It', '*', '007AC9 crawler', 'visionheight.com/scan', 'x2']) {
    expect(await resolveRobotsAgent(` ${token} `)).toEqual({ token, takenFor: null });
  }
});

it('resolves a User-Agent to the robots.txt token of its agent', async () => {
  const agents = getBundledCatalog().agents.filter(({ robots_token: token, sample_user_agents: samples }) => {
    return token !== null && samples?.[0]?.includes('/');
  });
  for (const agent of agents.slice(0, 20)) {
    expect(await resolveRobotsAgent(agent.sample_user_agents![0]!)).toMatchObject({ token: agent.robots_token });
  }
});

it('resolves an agent without a robots.txt token to *', async () => {
  const agent = getBundledCatalog().agents.find(
    ({ robots_token: token, sample_user_agents: samples }) => token === null && samples?.[0]?.includes('/'),
  )!;
  expect(await resolveRobotsAgent(agent.sample_user_agents![0]!)).toEqual({
    token: '*',
    takenFor: `${agent.token}, which has no robots.txt token`,
  });
});

it('rejects empty text and a User-Agent that it cannot attribute to an agent', async () => {
  for (const userAgent of ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', '(x)', ' ']) {
    await expect(resolveRobotsAgent(userAgent)).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("'*'"),
    });
  }
});
