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
    'The visitor’s address is read from the usual headers. Visitors can forge them unless your proxy sets them.',
  ],
  none: ['Nothing, visitors connect directly', 'Address headers are ignored.'],
  networks: [
    'A CDN, or your own proxies',
    'Address headers are only trusted from the networks you select and from internal addresses.',
  ],
  hops: ['A fixed number of proxies', 'Each of them adds one address to X-Forwarded-For.'],
  header: ['A proxy that sets its own header', 'For example, CF-Connecting-IP or X-Real-IP.'],
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
      lead="Agents are verified by their address. Select what’s in front of your site so that visitors can’t forge theirs."
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
        <Radio.Group label="What’s between visitors and your site?" readOnly={isReader} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            {Object.entries(KINDS).map(([value, [label, description]]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {kind === 'networks' && (
          <MultiSelect
            label="Networks"
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
            label="Public addresses of your own proxies"
            description="IP ranges, one per line. Internal addresses are always included."
            placeholder="203.0.113.0/24"
            rows={3}
            readOnly={isReader}
            {...form.getInputProps('ranges')}
          />
        )}
        <Textarea
          label="Host names"
          description="One per line. Signed requests from agents are only accepted for these hosts. Leave empty to accept any."
          placeholder="www.example.com"
          rows={2}
          readOnly={isReader}
          {...form.getInputProps('host_names')}
        />
      </SettingsForm>
    </Section>
  );
}
