// Builds the addresses of one-time links. The token is in the fragment, which browsers send to no server and no log.

/** @returns Functions that build the address of a token. The pages belong to the dashboard. */
export function linksOf(publicUrl: () => string) {
  const linkOf = (page: string) => (token: string) => `${publicUrl().replace(/\/$/, '')}/dashboard/${page}#${token}`
  return { invitation: linkOf('accept-invitation'), reset: linkOf('reset-password'), setUp: linkOf('set-up') }
}
