import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 300;

interface TypedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  /** @param text without spaces around it. */
  onTyped: (text: string) => void;
}

/** Takes effect a moment after the last key. */
export function TypedInput({ value, onTyped, ...props }: TypedInputProps) {
  const [text, setText] = useState(value);
  const isTyping = useRef(false);
  // The address has changed by other means, such as Back, or by what was typed: what is typed meanwhile is newer.
  useEffect(() => {
    if (!isTyping.current) setText(value);
  }, [value]);
  const apply = useDebouncedCallback((typed: string) => {
    isTyping.current = false;
    onTyped(typed.trim());
  }, TYPING_MS);
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
