import { ROBOTS_TXT_FORMATS, type RuleFormat } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { accessProject, findProject } from '../project.js';
import type { Selection } from './robots-options.js';

/** Returns true for robots.txt formats. All others are server configurations, which don't contain paths. */
export const isRobotsTxt = (format: RuleFormat): format is (typeof ROBOTS_TXT_FORMATS)[number] =>
  ROBOTS_TXT_FORMATS.some((one) => one === format);

/**
 * Requests rules from the instance.
 *
 * @param project Name or ID, see `accessProject`.
 */
export async function renderedRules(
  connect: Connect,
  project: string | undefined,
  selection: Selection,
  format: RuleFormat,
): Promise<Buffer> {
  const instance = await connect();
  if (selection.agent_behaviors !== undefined) {
    // The public operations select agents by type only.
    const { id } = await findProject(instance.client, project);
    const { text } = await instance.client.post('/api/projects/{id}/rules', {
      params: { path: { id } },
      body: { ...selection, format },
    });
    return Buffer.from(text);
  }
  const { token } = await accessProject(instance, project);
  const options = { credential: token, mediaType: format === 'json' ? 'application/json' : 'text/plain' };
  return isRobotsTxt(format)
    ? instance.client.postForBytes('/robots-txts', options, { body: { ...selection, format } })
    : instance.client.postForBytes('/user-agent-token-lists', options, { body: { ...selection, format } });
}
