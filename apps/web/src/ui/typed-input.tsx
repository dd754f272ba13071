import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const TYPING_MS = 300;

export interface TypedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  /** @param text without spaces around it. */
  onTyped: (text: string) => void;
}

/** Takes effect a moment after the last key. */
export function TypedInput({ value, onTyped, ...props }: TypedInputProps) {
  const [text, setText] = useState(value);
  // The address has changed by other means, such as Back.
  useEffect(() => setText(value), [value]);
  const apply = useDebouncedCallback((typed: string) => onTyped(typed.trim()), TYPING_MS);
  return (
    <TextInput
      {...props}
      value={text}
      autoComplete="off"
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}
