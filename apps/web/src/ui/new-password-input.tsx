import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadCommonPasswords, findPasswordFault } from '#libs/passwords';
import { MIN_PASSWORD_LENGTH } from './password.js';

interface NewPasswordInputProps extends PasswordInputProps {
  value?: string;
  /** Account details, if known. Passwords based on them are rejected. */
  email?: string | undefined;
  name?: string | undefined;
}

/** Input for a new password. Shows why the password would be rejected while the user types. */
export function NewPasswordInput({ email, name, error, ...props }: NewPasswordInputProps) {
  const { value = '' } = props;
  // Ignore errors when loading the list, because the server also rejects common passwords.
  const { data: commonList = new Set<string>() } = useQuery({
    queryKey: ['common-passwords'],
    queryFn: loadCommonPasswords,
    staleTime: Infinity,
    retry: false,
  });
  const isLongEnough = [...value].length >= MIN_PASSWORD_LENGTH;
  const rejection = isLongEnough ? findPasswordFault(value, commonList, { email, name, url: location.origin }) : null;
  return (
    <PasswordInput
      description={`At least ${MIN_PASSWORD_LENGTH} characters and hard to guess`}
      autoComplete="new-password"
      {...props}
      error={error ?? (rejection && `This password ${rejection}`)}
    />
  );
}
