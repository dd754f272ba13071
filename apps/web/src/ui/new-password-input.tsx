import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { commonPasswords, passwordFault } from '#libs/passwords';
import { MIN_PASSWORD_LENGTH } from './password.js';

interface NewPasswordInputProps extends PasswordInputProps {
  value?: string;
  /** Account details, if known. Passwords based on them are rejected. */
  email?: string | undefined;
  name?: string | undefined;
}

/** Input for a new password. Shows while typing why a password would be rejected. */
export function NewPasswordInput({ email, name, error, ...props }: NewPasswordInputProps) {
  const { value = '' } = props;
  // Loaded when first needed. If that fails, the server still rejects common passwords.
  const { data: common = new Set<string>() } = useQuery({
    queryKey: ['common-passwords'],
    queryFn: commonPasswords,
    staleTime: Infinity,
    retry: false,
  });
  const isLong = [...value].length >= MIN_PASSWORD_LENGTH;
  const fault = isLong ? passwordFault(value, common, { email, name, url: location.origin }) : null;
  return (
    <PasswordInput
      description={`At least ${MIN_PASSWORD_LENGTH} characters, and hard to guess`}
      autoComplete="new-password"
      {...props}
      error={error ?? (fault && `This password ${fault}`)}
    />
  );
}
