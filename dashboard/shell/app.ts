// <nc-app>: shows the page of the address, with the navigation around it once a person is signed in.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { Me } from '../../contract/resources/own-account.ts'
import { includesRole } from '../../contract/role.ts'
import { createAccountApi } from '../api/account.ts'
import { ApiFailure, createApiClient, isEndOfSession } from '../api/client.ts'
import { takeEarly } from '../api/early-answers.ts'
import { createEnvironmentApi } from '../api/environment.ts'
import { createOrganisationApi } from '../api/organisation.ts'
import { createPeopleApi } from '../api/people.ts'
import { createSourcesApi } from '../api/sources.ts'
import { createTenantApi } from '../api/tenant.ts'
import { icon } from '../elements/icon.ts'
import { emptyView, failureView, loadingView } from '../elements/states.ts'
import { LightElement } from '../lib/light-element.ts'
import { showEnvironment } from '../lib/shown-environment.ts'
import { ownPath } from '../routing/prefix.ts'
import { type Router, startRouter } from '../routing/router.ts'
import { appPath, isPublic, parseNext, parseRoute, type Route, showsEnvironment } from '../routing/routes.ts'
import { COOKIE_LOST, MissingPage, NO_ORGANISATION, NO_PAGE } from './app-words.ts'
import type { AppContext, PublicContext } from './context.ts'
import type { NcNotice } from './notice.ts'
import './connection-band.ts'
import { loadComponents, loadPage, PAGES, type PageEntry } from './pages.ts'
import { chooseEnvironment, createSession } from './session.ts'
import './notice.ts'
import type { NcPalette } from './palette.ts'
import { onPaletteKey } from './palette-key.ts'
import type { NcRenewal } from './renewal.ts'
import { sidebar } from './sidebar.ts'

const send: typeof fetch = (url, init) => fetch(url, init)
const loadRenewal = () => import('./renewal.ts')
const loadPalette = () => import('./palette.ts')

type PageNode = HTMLElement & { context: PublicContext; routeId?: string }

export class NcApp extends LightElement {
  readonly #client = createApiClient({
    fetch: send,
    takeEarly,
    renew: (isChange) => this.#renew(isChange),
  })
  readonly #people = createPeopleApi(this.#client)
  /** For the sign-in over the page: it asks for none itself. */
  readonly #ownPeople = createPeopleApi(createApiClient({ fetch: send, renew: async () => false }))
  readonly #renewal = createRef<NcRenewal>()
  readonly #palette = createRef<NcPalette>()
  readonly #account = createAccountApi(this.#client)
  readonly #session = createSession(this.#people)
  readonly #router: Router = startRouter(({ isNewPage }) => void this.#show(isNewPage))
  #route: Route = parseRoute(location.pathname)
  #context: AppContext | undefined
  #page: PageNode | undefined
  /** Another page, id or environment gets another element. */
  #pageKey = ''
  #failure: unknown
  readonly #notice = createRef<NcNotice>()
  /** What is told once a page is shown: before the first one, there is no notice. */
  #toTell: string | undefined
  #isNavigationOpen = false
  /** Rises with each navigation: a slower former one shows nothing. */
  #navigation = 0
  /** The focus belongs to the page that comes; a redirection on the way does not change that. */
  #wantsFocus = false

  override connectedCallback(): void {
    super.connectedCallback()
    onPaletteKey(this.#openPalette)
    void this.#show(false)
  }

  readonly #openPalette = (): void => {
    if (this.#context === undefined) return
    void loadPalette().then(
      () => this.#palette.value?.open(),
      () => this.#notice.value?.show('The search could not be loaded: the server is out of reach.'),
    )
  }

  async #show(isNewPage: boolean): Promise<void> {
    const navigation = ++this.#navigation
    const route = parseRoute(location.pathname)
    this.#isNavigationOpen = false
    this.#wantsFocus ||= isNewPage
    // The code of the page is loaded beside the session; `#place` awaits it and reports what fails.
    const entry = entryOf(route)
    if (entry !== undefined) void loadPage(entry).catch(() => {})
    try {
      // Its form stays when the session ends.
      if (route.page === 'onboarding' || route.page === 'new-organisation') await this.#session.load()
      const context = isPublic(route) ? this.#publicContext() : await this.#contextOf(route, navigation)
      if (context === undefined || navigation !== this.#navigation) return
      await this.#place(route, context)
      if (navigation !== this.#navigation) return
      this.#failure = undefined
    } catch (error) {
      if (navigation !== this.#navigation || isEndOfSession(error)) return
      this.#failure = error
    }
    this.#route = route
    this.requestUpdate()
    await this.updateComplete
    if (this.#toTell !== undefined) this.#notice.value?.show(this.#toTell)
    this.#toTell = undefined
    void loadComponents().catch(() => {})
    if (this.#session.me !== undefined) void loadRenewal().catch(() => {})
    if (this.#wantsFocus) await this.#focusPage()
  }

  #publicContext(): PublicContext {
    return {
      people: this.#people,
      router: this.#router,
      query: new URLSearchParams(location.search),
      signedIn: (me, next) => this.#signedIn(me, next),
    }
  }

  /** @returns undefined when the address changes. */
  async #contextOf(route: Route, navigation: number): Promise<AppContext | undefined> {
    const me = await this.#session.load()
    const org = me.organisations.find(({ id }) => id === route.org) ?? undefined
    const first = me.organisations[0]
    if (route.page === 'first' && (org ?? first) !== undefined) {
      this.#router.go(appPath((org ?? first)?.id ?? '', 'home'), { replace: true })
      return undefined
    }
    if (org === undefined) throw new MissingPage(route.org === undefined ? NO_PAGE : NO_ORGANISATION)
    if (!org.onboardingCompleted) {
      this.#router.go(`${ownPath('/dashboard/onboarding')}?${new URLSearchParams({ org: org.id })}`, { replace: true })
      return undefined
    }
    const wanted = new URLSearchParams(location.search).get('env')
    const environments = await this.#session.environments(org.id, wanted)
    const environment = chooseEnvironment(environments, org.id, wanted)
    if (environment === undefined) throw new MissingPage('This organisation has no environment yet.')
    if (navigation !== this.#navigation) return undefined
    if (wanted !== environment.id) {
      if (wanted !== null) this.#toTell = `The environment of this link is gone. This is ${environment.name}.`
      this.#router.setQuery({ env: environment.id }, { replace: true })
      return undefined
    }
    return {
      ...this.#publicContext(),
      me,
      org,
      environments,
      environment,
      api: createEnvironmentApi(this.#client, environment.id),
      sources: createSourcesApi(this.#client, environment.id),
      account: this.#account,
      organisation: createOrganisationApi(this.#client, org.id),
      tenant: createTenantApi(this.#client, org.id),
      reloadEnvironments: () => {
        this.#session.forgetEnvironments(org.id)
        return this.#show(false)
      },
      link: (page, id = '', more = {}) =>
        `${appPath(org.id, page, id)}?${new URLSearchParams({ env: environment.id, ...more })}`,
      notify: (text, undo) => this.#notice.value?.show(text, undo),
      setTitle: (title) => this.#setTitle(title),
      may: (role) => includesRole(org.role, role),
      signOut: () => this.#signOut(),
    }
  }

  async #place(route: Route, context: PublicContext | AppContext): Promise<void> {
    const entry = entryOf(route)
    const app = 'org' in context ? context : undefined
    if (entry === undefined) {
      this.#context = app
      throw new MissingPage(NO_PAGE)
    }
    const key = [route.page, route.id, app?.environment.id].join(' ')
    if (key !== this.#pageKey) {
      await loadPage(entry).catch((cause: unknown) => {
        throw new MissingCode('The code of this page is gone', { cause })
      })
      this.#page = Object.assign(document.createElement(entry.tag), { routeId: route.id ?? '' }) as PageNode
      this.#pageKey = key
      this.#context = app
      this.#setTitle(entry.title)
    }
    this.#context = app
    showEnvironment(app !== undefined && showsEnvironment(route) ? app.environment : undefined)
    if (this.#page !== undefined) this.#page.context = context
  }

  #setTitle(title: string): void {
    const { org, environment } = this.#context ?? {}
    document.title = [title, environment?.name, org?.name ?? 'Notification service'].filter(Boolean).join(' · ')
  }

  async #focusPage(): Promise<void> {
    this.#wantsFocus = false
    await this.updateComplete
    await (this.#page as { updateComplete?: Promise<unknown> } | undefined)?.updateComplete
    // A page with a form focuses its first field by itself, right after its first rendering.
    await new Promise((resolve) => setTimeout(resolve))
    scrollTo(0, 0)
    if (this.#page?.contains(document.activeElement)) return
    this.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }

  /** @throws ApiFailure when the browser has not kept the cookie: the first page would ask for the sign-in again. */
  async #signedIn(me: Me, next = new URLSearchParams(location.search).get('next')): Promise<void> {
    await this.#ownPeople.me().catch((error: unknown) => {
      throw isEndOfSession(error) ? new ApiFailure(401, { message: COOKIE_LOST }) : error
    })
    this.#session.keep(me)
    this.#router.go(parseNext(next) ?? ownPath('/dashboard'), { replace: true })
  }

  async #signOut(): Promise<void> {
    await this.#people.signOut().catch((error: unknown) => {
      if (!isEndOfSession(error)) throw error
    })
    this.#session.clear()
    this.#router.go(ownPath('/sign-in'))
  }

  /** The session has ended. A shown page stays, with all that was typed. */
  async #renew(isChange: boolean): Promise<boolean> {
    const isLoaded = await loadRenewal().then(
      () => true,
      () => false,
    )
    const renewal = this.#renewal.value
    if (isLoaded && renewal !== undefined && this.#session.me !== undefined) return renewal.renew(isChange)
    this.#leaveToSignIn()
    return false
  }

  /** The address stays as the place to come back to. */
  #leaveToSignIn(): void {
    this.#session.clear()
    const { pathname, search } = location
    if (pathname !== ownPath('/sign-in'))
      this.#router.go(`${ownPath('/sign-in')}?${new URLSearchParams({ next: pathname + search })}`)
  }

  override render(): TemplateResult {
    const context = isPublic(this.#route) ? undefined : this.#context
    if (context === undefined) return html`<main id="main" class="outside">${this.#content()}</main>${this.#over()}`
    const toggle = () => {
      this.#isNavigationOpen = !this.#isNavigationOpen
      this.requestUpdate()
    }
    return html`<a class="skip" href="#main">Skip to the content</a>
      <div class="shell" data-open=${this.#isNavigationOpen ? '' : nothing}>
        <header class="topbar">
          <button type="button" class="icon-button" aria-expanded=${this.#isNavigationOpen} aria-controls="sidebar" aria-label="Navigation" @click=${toggle}>
            ${icon(this.#isNavigationOpen ? 'xmark' : 'menu')}
          </button>
          <span class="topbar-title">${context.org.name}</span>
          <span class="tag" data-production=${context.environment.isProduction ? '' : nothing}>${context.environment.name}</span>
        </header>
        <nav class="sidebar" id="sidebar" aria-label="Main">${sidebar(context, this.#route, { update: () => this.requestUpdate(), search: this.#openPalette })}</nav>
        <main id="main" class="main" tabindex="-1">${this.#content()}<nc-save-bar .notify=${context.notify}></nc-save-bar></main>
      </div>
      ${this.#over()}`
  }

  /** What lies over the page: the sign-in once the session has ended, and the notice. */
  #over(): TemplateResult {
    const { me } = this.#session
    const keep = ({ detail }: CustomEvent<Me>) => {
      this.#session.keep(detail)
      this.requestUpdate()
    }
    return html`${
      me === undefined || this.#route.page === 'sign-in'
        ? nothing
        : html`<nc-renewal ${ref(this.#renewal)} .people=${this.#ownPeople} .me=${me} @renewed=${keep}></nc-renewal>`
    }<nc-palette ${ref(this.#palette)} .context=${this.#context}></nc-palette><nc-connection-band></nc-connection-band><nc-notice ${ref(this.#notice)}></nc-notice>`
  }

  #content(): unknown {
    if (this.#failure instanceof MissingPage) {
      const home = html`<a class="link" href=${ownPath('/dashboard')}>Go to the first page</a>`
      return emptyView({
        icon: 'search',
        title: 'Nothing here',
        text: this.#failure.message,
        action: home,
        isPage: true,
      })
    }
    if (this.#failure instanceof MissingCode) {
      return emptyView({
        icon: 'refresh',
        title: 'A new version may be here',
        text: 'The code of this page could not be loaded: the server has a new version, or is out of reach.',
        action: html`<wa-button size="s" variant="brand" @click=${() => location.reload()}>Reload</wa-button>`,
        isPage: true,
      })
    }
    if (this.#failure !== undefined) return failureView(this.#failure, () => void this.#show(false))
    return this.#page ?? loadingView()
  }
}

const entryOf = ({ page }: Route): PageEntry | undefined => (PAGES as Record<string, PageEntry>)[page]

/** A deployment has replaced the code of a page, or the network has lost it. */
class MissingCode extends Error {}

customElements.define('nc-app', NcApp)
