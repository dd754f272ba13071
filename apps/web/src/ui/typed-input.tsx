import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 300;

interface TypedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  /** @param text trimmed. */
  onTyped: (text: string) => void;
}

/** Text input that applies its value shortly after the user stops typing. */
export function TypedInput({ value, onTyped, ...props }: TypedInputProps) {
  const [text, setText] = useState(value);
  const isTyping = useRef(false);
  // The value changes through navigation, such as Back, or `onTyped`. Text still being typed is newer and stays.
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
