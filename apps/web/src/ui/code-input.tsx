import { TextInput, type TextInputProps } from '@mantine/core';

/** Input for an authenticator or recovery code. Password managers can fill it in. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    label="Code"
    description="From your authenticator app, or a recovery code"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    {...props}
  />
);
