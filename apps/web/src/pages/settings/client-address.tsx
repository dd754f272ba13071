import { NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fromLines, toLines } from '../../format/lines.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';
import { proxyFields, trustedProxies, type ProxyKind } from './trusted-proxies.js';

const KINDS: Record<ProxyKind, [label: string, description: string]> = {
  default: [
    'One proxy, or a content delivery network',
    'Read from the right of X-Forwarded-For or Forwarded, past known networks',
  ],
  none: ['Visitors reach the site directly', 'No header is trusted; only client_address can verify a visit'],
  hops: ['A fixed number of proxies', 'Each of them adds one entry'],
  header: ['One header', 'The one that the proxy always sets, such as cf-connecting-ip'],
};

const HOPS = Array.from({ length: 10 }, (_, index) => String(index + 1));

/** What signatures and addresses are judged by. */
export function ClientAddress({ project, isReader }: SettingsPartProps) {
  const { host_names, trusted_proxies: proxies } = project;
  const form = useForm({
    initialValues: { host_names: toLines(host_names), ...proxyFields(proxies) },
  });
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
            label="More proxies with public addresses"
            description="As ranges, one per line"
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
