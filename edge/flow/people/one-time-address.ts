// Builds the addresses of pages that sign people in: of one-time links, and of single sign-on.

/** The pages belong to the dashboard. */
export interface SignInPages {
  /** Where a browser begins the single sign-on of an organisation. */
  start(organisationId: string): string
  /** Where the identity provider sends a browser back. */
  redirectUri(organisationId: string): string
  /** The first page after a sign-in to an organisation. */
  home(organisationId: string): string
  /** The page that asks the person before a provider signs in. */
  question(): string
  /** The page of sign-in, which explains why a single sign-on ended. */
  failed(organisationId: string, reason: string, correlationId: string): string
}

const baseOf = (publicUrl: () => string) => publicUrl().replace(/\/$/, '')

/** @returns Functions that build the address of a token. It is in the fragment, which browsers send to no server and no log. */
export function linksOf(publicUrl: () => string) {
  const linkOf = (page: string) => (token: string) => `${baseOf(publicUrl)}/dashboard/${page}#${token}`
  return {
    invitation: linkOf('accept-invitation'),
    reset: linkOf('reset-password'),
    setUp: linkOf('set-up'),
    /** The page of an environment's secrets. */
    secrets: (organisationId: string, environmentId: string) =>
      `${baseOf(publicUrl)}/org/${organisationId}/app/environments/${environmentId}/secrets`,
    /** The page of a campaign. */
    campaign: (organisationId: string, environmentId: string, campaignId: string) =>
      `${baseOf(publicUrl)}/org/${organisationId}/app/campaigns/${campaignId}?env=${environmentId}`,
    forgotPassword: () => `${baseOf(publicUrl)}/dashboard/forgot-password`,
  }
}

export function signInPagesOf(publicUrl: () => string): SignInPages {
  const oidc = (organisationId: string, step: string) =>
    `${baseOf(publicUrl)}/v1/dashboard/auth/oidc/${encodeURIComponent(organisationId)}/${step}`
  return {
    start: (organisationId) => oidc(organisationId, 'start'),
    redirectUri: (organisationId) => oidc(organisationId, 'callback'),
    home: (organisationId) => `${baseOf(publicUrl)}/org/${encodeURIComponent(organisationId)}/app/home`,
    question: () => `${baseOf(publicUrl)}/dashboard/continue-sign-in`,
    failed(organisation, error, correlationId) {
      const query = new URLSearchParams({ error, organisation, correlationId })
      return `${baseOf(publicUrl)}/sign-in?${query}`
    },
  }
}
