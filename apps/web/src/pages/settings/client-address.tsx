import { MultiSelect, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { visitorPathQuery } from '../../api/queries.js';
import { parseList, joinLines } from '../../format/lines.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';
import { PathProposal } from '../../visitor-path/path-proposal.js';
import { toProxyFields, toTrustedProxies, type ProxyKind } from './trusted-proxies.js';

const KINDS: Record<ProxyKind, [label: string, description: string]> = {
  default: [
    'I’m not sure',
    'Finds the visitor’s address in X-Forwarded-For or Forwarded, ignoring known proxies. Visitors can forge these headers unless one of your proxies sets them',
  ],
  none: [
    'Visitors reach the site directly',
    'No forwarding headers are trusted. Only the address of the connection is used',
  ],
  networks: [
    'Your own proxies or selected networks',
    'Headers are only trusted from these networks and internal addresses. Leave the list empty if you only use your own proxies',
  ],
  hops: ['A fixed number of proxies', 'Each proxy adds one entry'],
  header: ['A specific header', 'A header that the proxy always sets, such as cf-connecting-ip'],
};

const HOPS = Array.from({ length: 10 }, (_, index) => String(index + 1));

/** Settings that control which client addresses and signatures are trusted. */
export default function ClientAddress({ project, isReader }: SettingsPartProps) {
  const { host_names, trusted_proxies: proxies } = project;
  const form = useForm({
    initialValues: { host_names: joinLines(host_names), ...toProxyFields(proxies) },
  });
  const { data: path } = useQuery(visitorPathQuery(project.id));
  const { kind } = form.values;
  return (
    <Section
      title="How visitors reach the site"
      lead="Verification depends on this. Anyone can forge a forwarding header, so only entries added by your own proxies are trusted."
    >
      <PathProposal project={project} isReader={isReader} />
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        change={(values) => ({
          host_names: parseList(values.host_names),
          trusted_proxies: toTrustedProxies(values, proxies),
        })}
      >
        <Textarea
          label="Host names"
          description="One per line. Agents’ signatures are only accepted for these hosts. Leave empty to accept them for any host."
          placeholder="www.example.com"
          rows={3}
          readOnly={isReader}
          {...form.getInputProps('host_names')}
        />
        <Radio.Group label="What’s between visitors and your site?" readOnly={isReader} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            {Object.entries(KINDS).map(([value, [label, description]]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {kind === 'networks' && (
          <MultiSelect
            label="Networks in front of the site"
            placeholder={form.values.networks.length === 0 ? 'Only your own proxies' : ''}
            searchable
            readOnly={isReader}
            data={[...new Set([...(path?.networks ?? []), ...form.values.networks])]}
            {...form.getInputProps('networks')}
          />
        )}
        {kind === 'hops' && (
          <NativeSelect label="Proxies" w={120} disabled={isReader} data={HOPS} {...form.getInputProps('hops')} />
        )}
        {kind === 'header' && (
          <TextInput
            label="Header"
            placeholder="cf-connecting-ip"
            readOnly={isReader}
            {...form.getInputProps('header')}
          />
        )}
        {kind !== 'none' && (kind !== 'default' || proxies.ranges !== undefined) && (
          <Textarea
            label="Your own proxies with public addresses"
            description="IP ranges, one per line"
            placeholder="203.0.113.0/24"
            rows={3}
            readOnly={isReader}
            {...form.getInputProps('ranges')}
          />
        )}
      </SettingsForm>
    </Section>
  );
}
