// Explains to people why a single sign-on has ended without a sign-in (docs/dashboard.md#single-sign-on).

/** By the parameter `error` of the page of sign-in. */
export const SIGN_ON_ERRORS: Readonly<Record<string, string>> = {
  'not-set-up': 'There is no organisation with this ID, or it has no single sign-on. Ask an owner for the ID.',
  'challenge-ended': 'This sign-in took too long, or its settings have changed meanwhile. Begin again.',
  'single-sign-on-denied': 'Your identity provider did not let you in. Ask the people who run it for access.',
  'single-sign-on-failed': 'The answer of your identity provider is not valid. Ask an owner to check the settings.',
  'provider-unreachable': 'Your identity provider cannot be reached. Try again later, or ask an owner.',
  'not-linked': 'Your identity provider names no verified e-mail address of your organisation.',
  'not-member': 'You are no member of this organisation. Ask an owner for an invitation.',
  'linked-otherwise': 'Your member account belongs to another account of the identity provider. Use that one.',
}

/** @returns The words for any `error`, also for one that this version does not know. */
export function signOnError(error: string): string {
  return SIGN_ON_ERRORS[error] ?? 'The single sign-on did not succeed. Try again, or ask an owner of your organisation.'
}
