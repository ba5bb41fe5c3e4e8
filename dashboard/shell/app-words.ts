// What the shell says when it cannot show a page.

export const COOKIE_LOST =
  'You are signed in, but this browser did not keep the cookie of the session: it is for HTTPS alone, and this page came by plain HTTP. Open the dashboard by HTTPS, or on the machine of the server at http://127.0.0.1, and set PUBLIC_URL to that address.'
export const NO_PAGE = 'There is no page at this address.'
export const NO_ORGANISATION = 'You have no role in this organisation, or it does not exist.'

/** An address without a page. */
export class MissingPage extends Error {}
