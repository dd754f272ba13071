import { ROBOTS_TXT_FORMATS, type ProjectRules, type RuleFormat } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { accessProject, findProject } from '../project.js';
import type { Selection } from './robots-options.js';

/** Whether it is for robots.txt; the others are for a server, and hold no path. */
export const isRobotsTxt = (format: RuleFormat): boolean => ROBOTS_TXT_FORMATS.some((one) => one === format);

/**
 * Asks the instance for rules.
 *
 * @param project name or id; see `accessProject`.
 * @returns the bytes as they came.
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
    const { text } = await instance.client.post<ProjectRules>(`/api/projects/${id}/rules`, { ...selection, format });
    return Buffer.from(text);
  }
  const { token } = await accessProject(instance, project);
  const path = isRobotsTxt(format) ? '/robots-txts' : '/user-agent-token-lists';
  const mediaType = format === 'json' ? 'application/json' : 'text/plain';
  return instance.client.postForBytes(path, { ...selection, format }, mediaType, token);
}
