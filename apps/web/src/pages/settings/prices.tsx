import { NumberInput, Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import { useForm } from '@mantine/form';
import { formatCurrencyName, listCurrencies } from '../../format/currencies.js';
import { Columns } from '../../ui/columns.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';

/** Maximum number of decimal places in a price. */
const MAX_DECIMALS = 6;

interface Values extends Record<string, unknown> {
  /** A number, or an empty string for no price. */
  price_per_gb: number | string;
  price_per_server_hour: number | string;
  currency: string;
}

const toPrice = (value: number | string): number | null => (value === '' ? null : Number(value));

/** Prices for computing what agents cost. Lazy-loaded, because `NumberInput` is large. */
export default function Prices({ project, isReader }: SettingsPartProps) {
  const form = useForm<Values>({
    initialValues: {
      price_per_gb: project.price_per_gb ?? '',
      price_per_server_hour: project.price_per_server_hour ?? '',
      currency: project.currency,
    },
  });
  const price = {
    min: 0,
    allowNegative: false,
    decimalScale: MAX_DECIMALS,
    hideControls: true,
    placeholder: 'Not set',
  };
  return (
    <Section
      id="prices"
      title="Prices"
      lead={
        <>
          The{' '}
          <TextLink to="/projects/$projectId/load" params={{ projectId: project.id }}>
            Load
          </TextLink>{' '}
          page uses these prices to show what agents cost. Without them, it doesn’t show any costs.
        </>
      }
    >
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        saved="Saved."
        change={(values) => ({
          price_per_gb: toPrice(values.price_per_gb),
          price_per_server_hour: toPrice(values.price_per_server_hour),
          currency: values.currency,
        })}
      >
        <Columns cols={{ base: 1, sm: 3 }} gap="sm">
          <NumberInput
            label="Price per GB sent"
            description="For example, your CDN’s price"
            readOnly={isReader}
            {...price}
            {...form.getInputProps('price_per_gb')}
          />
          <NumberInput
            label="Price per hour of server time"
            description="What one server costs per hour, divided by the requests it handles at once"
            readOnly={isReader}
            {...price}
            {...form.getInputProps('price_per_server_hour')}
          />
          <Select
            label="Currency"
            description="Used for both prices"
            searchable
            allowDeselect={false}
            disabled={isReader}
            nothingFoundMessage="No matching currencies"
            data={listCurrencies(project.currency).map((code) => ({ value: code, label: formatCurrencyName(code) }))}
            {...form.getInputProps('currency')}
          />
        </Columns>
      </SettingsForm>
    </Section>
  );
}
