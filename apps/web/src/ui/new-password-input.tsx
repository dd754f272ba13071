import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { commonPasswords, passwordFault } from '#libs/passwords';
import { MIN_PASSWORD_LENGTH } from './password.js';

interface NewPasswordInputProps extends PasswordInputProps {
  value?: string;
  /** Of the account, as far as they are known: a password must not be made of them. */
  email?: string | undefined;
  name?: string | undefined;
}

/** A field for a password to be chosen; says while one types why it cannot be. */
export function NewPasswordInput({ email, name, error, ...props }: NewPasswordInputProps) {
  const { value = '' } = props;
  // Loaded with the first form that needs it. Without it the server still refuses what is on the list.
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
