import { MultiSelect, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { visitorPathQuery } from '../../api/queries.js';
import { fromLines, toLines } from '../../format/lines.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';
import { PathProposal } from '../../visitor-path/path-proposal.js';
import { proxyFields, trustedProxies, type ProxyKind } from './trusted-proxies.js';

const KINDS: Record<ProxyKind, [label: string, description: string]> = {
  default: [
    'Not sure',
    'X-Forwarded-For or Forwarded, read from the right, past every known network. A visitor can forge it where no proxy of yours sets it',
  ],
  none: ['Visitors reach the site directly', 'No header is trusted; only client_address can verify a visit'],
  networks: [
    'Proxies of your own, or networks that you name',
    'Headers only count from these, and from internal addresses. Leave the list empty for proxies of your own only',
  ],
  hops: ['A fixed number of proxies', 'Each of them adds one entry'],
  header: ['One header', 'The one that the proxy always sets, such as cf-connecting-ip'],
};

const HOPS = Array.from({ length: 10 }, (_, index) => String(index + 1));

/** Settings that decide which client addresses and signatures are trusted. */
export default function ClientAddress({ project, isReader }: SettingsPartProps) {
  const { host_names, trusted_proxies: proxies } = project;
  const form = useForm({
    initialValues: { host_names: toLines(host_names), ...proxyFields(proxies) },
  });
  const { data: path } = useQuery(visitorPathQuery(project.id));
  const { kind } = form.values;
  return (
    <Section
      title="How visitors reach the site"
      lead="Verification depends on this: anyone can forge a forwarding header, so only entries that your own proxies add count."
    >
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        change={(values) => ({
          host_names: fromLines(values.host_names),
          trusted_proxies: trustedProxies(values, proxies),
        })}
      >
        <Textarea
          label="Host names"
          description="One per line. Signatures for other hosts are not accepted. If empty, signatures for any host are."
          placeholder="www.example.com"
          rows={3}
          readOnly={isReader}
          {...form.getInputProps('host_names')}
        />
        <Radio.Group label="In front of the site" readOnly={isReader} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            {Object.entries(KINDS).map(([value, [label, description]]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {kind === 'networks' && (
          <MultiSelect
            label="Networks in front of the site"
            placeholder={form.values.networks.length === 0 ? 'Proxies of your own only' : ''}
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
        {kind !== 'none' && (
          <Textarea
            label="Proxies of your own with public addresses"
            description="As ranges, one per line"
            placeholder="203.0.113.0/24"
            rows={3}
            readOnly={isReader}
            {...form.getInputProps('ranges')}
          />
        )}
      </SettingsForm>
      <PathProposal project={project} isReader={isReader} />
    </Section>
  );
}
