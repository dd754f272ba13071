import { TextInput, type TextInputProps } from '@mantine/core';

/** Input for an authenticator code, which password managers can fill in, or a recovery code. */
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
