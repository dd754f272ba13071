import { ADDRESS_LIST_FORMATS, ROBOTS_TXT_FORMATS, type AddressListFormat, type RuleFormat } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { getProjectAccess, findProject } from '../project.js';
import type { Selection } from './robots-options.js';

export type OutputFormat = RuleFormat | AddressListFormat;

/** Returns true for robots.txt formats. Only these support paths and declarations. */
export const isRobotsTxt = (format: OutputFormat): format is (typeof ROBOTS_TXT_FORMATS)[number] =>
  ROBOTS_TXT_FORMATS.some((one) => one === format);

const isAddressList = (format: OutputFormat): format is AddressListFormat =>
  ADDRESS_LIST_FORMATS.some((one) => one === format);

/**
 * Requests rendered rules from the instance.
 *
 * @param project Project name or ID. Default: the only project.
 */
export async function renderRules(
  connect: Connect,
  project: string | undefined,
  selection: Selection,
  format: OutputFormat,
): Promise<Buffer> {
  const instance = await connect();
  if (selection.agent_behaviors !== undefined || selection.agent_tokens !== undefined || isAddressList(format)) {
    // Only the project's own API can select agents by behavior or name, and list addresses.
    const { id } = await findProject(instance.client, project);
    const { text } = await instance.client.post('/api/projects/{id}/rules', {
      params: { path: { id } },
      body: { ...selection, format },
    });
    return Buffer.from(text);
  }
  const { token } = await getProjectAccess(instance, project, 'ask');
  const options = { credential: token, mediaType: format === 'json' ? 'application/json' : 'text/plain' };
  return isRobotsTxt(format)
    ? instance.client.postForBytes('/robots-txts', options, { body: { ...selection, format } })
    : instance.client.postForBytes('/user-agent-token-lists', options, { body: { ...selection, format } });
}
