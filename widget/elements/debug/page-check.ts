// Checks how the page set the element up: attributes, the script, the page itself.

import type { CenterElement } from '../panel/panel-types.ts'
import { lookAtToken } from './credentials.ts'
import { type Finding, fault, hint } from './explain.ts'

const CHOICES: Record<string, string[]> = {
  'auth-type': ['backendToken', 'jwt', 'signedJwt'],
  mode: ['popover', 'inline'],
  theme: ['auto', 'light', 'dark'],
  toasts: ['', 'all'],
  dir: ['ltr', 'rtl', 'auto'],
}

export function checkPage(center: CenterElement, baseUrl: string): Finding[] {
  return [...checkKey(center), ...checkCredential(center), ...checkAttributes(center, baseUrl), ...checkDocument()]
}

function checkKey({ apiKey }: CenterElement): Finding[] {
  if (!apiKey) {
    return [fault('There is no `api-key`.', 'Set it to the Front API Key of the environment: api-key="nc_front_…".')]
  }
  if (/^nc_(sdk|auth)_/.test(apiKey)) {
    return [
      fault(
        'A secret key stands in this page as `api-key`. Everybody who sees the page has it.',
        'Rotate that key now, and put the Front API Key (nc_front_…) here.',
      ),
    ]
  }
  if (!apiKey.startsWith('nc_front_')) {
    return [hint('The `api-key` does not look like a Front API Key.', 'Front API Keys begin with nc_front_.')]
  }
  return []
}

function checkCredential({ token, tokenProvider, userId, authType }: CenterElement): Finding[] {
  const isBackend = authType === null || authType === 'backendToken'
  if (token === null && tokenProvider === null) {
    return [
      fault(
        'There is no `token`, and no `tokenProvider`: nobody is signed in.',
        'Let your backend mint a token for the user and set `token`, or set the property `tokenProvider`.',
      ),
    ]
  }
  if (isBackend && tokenProvider === null && !userId) {
    return [fault('There is no `user-id`, which a backend token needs.', 'Set it to the user that the token is for.')]
  }
  const { kind } = lookAtToken(token)
  if (tokenProvider !== null || token === null) return []
  if (isBackend && kind === 'JWT') {
    return [fault('The `token` is a JWT, but `auth-type` is backendToken.', 'Set auth-type="jwt" or "signedJwt".')]
  }
  if (!isBackend && kind.startsWith('backend')) {
    return [fault(`The \`token\` is a backend token, but \`auth-type\` is ${authType}.`, 'Remove `auth-type`.')]
  }
  return kind.startsWith('of no')
    ? [fault('The `token` has no form that the service knows.', 'See that the page gets all of it, and nothing else.')]
    : []
}

function checkAttributes(center: CenterElement, baseUrl: string): Finding[] {
  const found: Finding[] = []
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = center.getAttribute(name)
    if (value === null || allowed.includes(value)) continue
    const list = allowed.filter((word) => word !== '').join(', ')
    found.push(fault(`\`${name}\` is "${value}", which it knows nothing of.`, `Use one of: ${list}; or leave it out.`))
  }
  if (center.locale !== null && !isLanguageTag(center.locale)) {
    found.push(fault(`\`locale\` is "${center.locale}", which is no language tag.`, 'Use a tag such as de or pt-BR.'))
  }
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    found.push(fault('`base-url` is no address.', 'Set it to the origin of the service: https://notify.example.com.'))
  }
  for (const { name } of center.attributes) {
    const near = NEAR_MISSES[name]
    if (near !== undefined) found.push(fault(`There is no attribute \`${name}\`.`, `Write \`${near}\`.`))
  }
  return found
}

/** HTML writes attributes in lower case, and people write properties. */
const NEAR_MISSES: Record<string, string> = {
  apikey: 'api-key',
  userid: 'user-id',
  authtype: 'auth-type',
  baseurl: 'base-url',
  lang: 'locale',
  tokenprovider: 'the property tokenProvider, by script',
  'token-provider': 'the property tokenProvider, by script',
}

function isLanguageTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== ''
  } catch {
    return false
  }
}

/** The addresses of the one script in this page. */
export const scriptsIn = (page: Document): string[] =>
  [...page.querySelectorAll<HTMLScriptElement>('script[src*="notification-center.js"]')].map(({ src }) => src)

function checkDocument(): Finding[] {
  const found: Finding[] = []
  const scripts = scriptsIn(document)
  if (scripts.length > 1) {
    const addresses = new Set(scripts).size > 1 ? `: ${[...new Set(scripts)].join(' and ')}` : ''
    found.push(
      hint(
        `The script stands in this page ${scripts.length} times${addresses}. The first that ran defined the tag; the others did nothing.`,
        'Keep one of them.',
      ),
    )
  }
  if (document.querySelector('notification-center:not(:defined)') !== null) {
    found.push(
      fault(
        'There is a <notification-center> that is not registered: to the browser it is an unknown element.',
        'With the package call define(), or import its ./define; with the script see that it loads.',
      ),
    )
  }
  if (!isSecureContext) {
    found.push(
      hint(
        'This page is not a secure context (plain HTTP): tabs do not share a socket, desktop notifications and copying are off, and the token travels readably.',
        'Serve it by HTTPS. http://localhost counts as secure.',
      ),
    )
  }
  return found
}
