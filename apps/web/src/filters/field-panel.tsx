import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dropdown } from '../ui/dropdown.js';

const PANEL_WIDTH_PX = 320;

/** Field that accepts one value. */
export interface FilterField<K extends string> {
  key: K;
  label: string;
  /** Possible values. If omitted, any text is accepted. */
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
}

interface FieldPanelProps {
  fields: readonly FilterField<string>[];
  onAdd: (key: string, value: string) => void;
  onClose: () => void;
}

/** Panel with a field and a value. */
export default function FieldPanel({ fields, onAdd, onClose }: FieldPanelProps) {
  const [key, setKey] = useState(fields[0]!.key);
  const [text, setText] = useState('');
  const { options, placeholder } = fields.find((field) => field.key === key)!;
  const value = options === undefined ? text.trim() : text || options[0]!.value;
  return (
    <Dropdown label="Add filter" width={PANEL_WIDTH_PX} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (value !== '') onAdd(key, value);
        }}
        // In the panel, arrow keys choose options.
        onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
      >
        <Stack gap="xs">
          <NativeSelect
            label="Field"
            size="xs"
            value={key}
            onChange={({ currentTarget }) => {
              setKey(currentTarget.value);
              setText('');
            }}
            data={fields.map((field) => ({ value: field.key, label: field.label }))}
          />
          {options === undefined ? (
            <TextInput
              label="Value"
              size="xs"
              required
              withAsterisk={false}
              data-autofocus
              autoComplete="off"
              placeholder={placeholder}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          ) : (
            <NativeSelect
              label="Value"
              size="xs"
              value={value}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              data={[...options]}
            />
          )}
          <Group gap="xs">
            <Button size="xs" type="submit">
              Add
            </Button>
            <Button size="xs" variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Dropdown>
  );
}
