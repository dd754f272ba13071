import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 300;

interface DebouncedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  /** @param text Trimmed input. */
  onTyped: (text: string) => void;
}

/** Text input that applies its value shortly after the user stops typing. */
export function DebouncedInput({ value, onTyped, ...props }: DebouncedInputProps) {
  const [text, setText] = useState(value);
  const isTyping = useRef(false);
  // The value changes after `onTyped` and when the user navigates, for example with Back. If the user is still typing,
  // keep their text, because it's newer.
  useEffect(() => {
    if (!isTyping.current) setText(value);
  }, [value]);
  const apply = useDebouncedCallback((input: string) => {
    isTyping.current = false;
    onTyped(input.trim());
  }, DEBOUNCE_MS);
  return (
    <TextInput
      {...props}
      value={text}
      autoComplete="off"
      onChange={({ currentTarget }) => {
        isTyping.current = true;
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}
