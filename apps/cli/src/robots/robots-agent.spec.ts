import { bundledCatalog } from '#libs/catalog';
import { robotsAgent } from './robots-agent.js';

it('takes tokens as they are', async () => {
  for (const token of ['GPTBot', 'gptbot', 'Nobody-Knows_It', '*', '007AC9 crawler', 'visionheight.com/scan', 'x2']) {
    expect(await robotsAgent(` ${token} `)).toEqual({ token, takenFor: null });
  }
});

it('finds the token of the agent that sends a User-Agent', async () => {
  const agents = bundledCatalog().agents.filter(({ robots_token: token, sample_user_agents: samples }) => {
    return token !== null && samples?.[0]?.includes('/');
  });
  for (const agent of agents.slice(0, 20)) {
    expect(await robotsAgent(agent.sample_user_agents![0]!)).toMatchObject({ token: agent.robots_token });
  }
});

it('takes an agent without a token for anybody', async () => {
  const agent = bundledCatalog().agents.find(
    ({ robots_token: token, sample_user_agents: samples }) => token === null && samples?.[0]?.includes('/'),
  )!;
  expect(await robotsAgent(agent.sample_user_agents![0]!)).toEqual({
    token: '*',
    takenFor: `${agent.token}, which has no name of its own in robots.txt`,
  });
});

it('takes nobody for an agent that only might be one', async () => {
  for (const userAgent of ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', '(x)', ' ']) {
    await expect(robotsAgent(userAgent)).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining("'*'") });
  }
});
