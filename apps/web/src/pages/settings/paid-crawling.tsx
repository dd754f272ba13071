import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '../../api/client.js';
import { Columns } from '../../ui/columns.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';

interface Values extends Record<string, unknown> {
  /** One host per line. */
  toll_hosts: string;
  /** One price per line, such as `USD 0.01`. */
  list_prices: string;
}

const LIST_PRICE = /^([A-Z]{3,5})[ \t]+(\d{1,9}(?:\.\d{1,9})?)$/;

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function parsePrice(line: string): Project['list_prices'][number] | null {
  const [, currency, amount] = LIST_PRICE.exec(line.toUpperCase()) ?? [];
  return currency === undefined || amount === undefined ? null : { currency, amount };
}

/** Toll hosts and list prices for the payments report. */
export default function PaidCrawling({ project, isReader }: SettingsPartProps) {
  const form = useForm<Values>({
    initialValues: {
      toll_hosts: project.toll_hosts.join('\n'),
      list_prices: project.list_prices.map(({ currency, amount }) => `${currency} ${amount}`).join('\n'),
    },
    validate: {
      list_prices: (text) => {
        const invalid = toLines(text).find((line) => parsePrice(line) === null);
        return invalid === undefined ? null : `Use a currency and an amount, such as USD 0.01 (got “${invalid}”)`;
      },
    },
  });
  return (
    <Section
      id="paid-crawling"
      title="Paid crawling"
      lead={
        <>
          <TextLink to="/projects/$projectId/paid-crawling" params={{ projectId: project.id }}>
            Paid crawling
          </TextLink>{' '}
          uses these settings.
        </>
      }
    >
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        saved="Saved."
        change={(values) => ({
          toll_hosts: toLines(values.toll_hosts),
          list_prices: toLines(values.list_prices)
            .map(parsePrice)
            .filter((price) => price !== null),
        })}
      >
        <Columns cols={{ base: 1, sm: 2 }} gap="sm">
          <Textarea
            label="List prices per request"
            description="One per line. They replace offered prices in the same currency. The first also applies to requests without a price."
            placeholder="USD 0.01"
            autosize
            minRows={2}
            readOnly={isReader}
            {...form.getInputProps('list_prices')}
          />
          <Textarea
            label="Toll hosts"
            description="Hosts that sell access to your site, one per line. A redirect to one of them counts as a request for payment."
            placeholder="pay.example.com"
            autosize
            minRows={2}
            readOnly={isReader}
            {...form.getInputProps('toll_hosts')}
          />
        </Columns>
      </SettingsForm>
    </Section>
  );
}
