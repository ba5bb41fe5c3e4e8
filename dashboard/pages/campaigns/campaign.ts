// <nc-campaign>: one campaign: its actions, and tabs with its flow, funnel, messages and versions.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { CampaignAnswer, CampaignVersionAnswer } from '../../../contract/resources/campaign.ts'
import { ApiFailure } from '../../api/client.ts'
import type { CampaignAction } from '../../api/environment.ts'
import { badge, tag } from '../../elements/badge.ts'
import { age, copyable, facts, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { findConflict, whoChanged } from '../../elements/conflict.ts'
import { doubtBadge } from '../../elements/doubt-badge.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { type Tab, tabsView } from '../../elements/tabs.ts'
import { toWords } from '../../lib/format.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { pendingView, publishLabel } from '../editor/publish/pending-view.ts'
import type { NcPublish } from '../editor/publish/publish.ts'
import { ACTION_ICONS, actionsOf, questionOf, type TestSample, testQuestion } from './campaign-actions.ts'
import { changesOf, eventOf } from './definition.ts'
import './flow-card.ts'
import './funnel.ts'
import type { SendTest } from './draft-preview.ts'
import { channelOf, windowOf } from './funnel-query.ts'
import './not-sent.ts'
import './versions.ts'

interface LoadedCampaign {
  campaign: CampaignAnswer
  /** Undefined before the first publication. */
  current: CampaignVersionAnswer | undefined
}

const DONE: Record<CampaignAction, string> = {
  pause: 'paused',
  resume: 'active again',
  archive: 'archived',
}

class NcCampaign extends AppPage {
  readonly #loaded = new Loader<LoadedCampaign>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #publish = createRef<NcPublish>()

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(quiet = false): Promise<void> {
    const { api, setTitle } = this.context
    await this.#loaded.load(
      async (signal) => {
        const campaign = await api.campaign(this.routeId, signal)
        const { currentVersion } = campaign
        const current = currentVersion === null ? undefined : await api.version(this.routeId, currentVersion, signal)
        return { campaign, current }
      },
      { quiet },
    )
    const { value } = this.#loaded
    if (value === undefined) return
    setTitle(value.campaign.name)
    void import('./draft-preview.ts')
  }

  #change(action: CampaignAction, campaign: CampaignAnswer): void {
    const { api, me, notify } = this.context
    this.#confirm.value?.ask(
      questionOf(action, campaign, me.person.email, async (query) => {
        // After a conflict the page shows the newer state, and the same press confirms that one.
        const { revision } = this.#loaded.value?.campaign ?? campaign
        await api.changeCampaign(campaign.id, action, revision, query).catch(async (error) => {
          const conflict = findConflict(error)
          if (conflict === undefined) throw error
          await this.#load(true)
          const message = `${whoChanged(conflict)} meanwhile. The page shows it as it is now: look at it, then confirm again.`
          throw new ApiFailure(409, { message })
        })
        notify(`“${campaign.name}” is ${DONE[action]}.`)
        await this.#load(true)
      }),
    )
  }

  /** Its dialog is loaded when it is first asked for. */
  async #ask(step: 'ask' | 'approve' | 'decline' | 'withdraw'): Promise<void> {
    await import('../editor/publish/publish.ts')
    await this.#publish.value?.[step]()
  }

  #test(campaign: CampaignAnswer, sample?: TestSample): void {
    const { api, link, notify, router } = this.context
    this.#confirm.value?.ask(
      testQuestion(
        campaign,
        async (body) => {
          const { messageIds } = await api.testCampaign(campaign.id, body)
          const [first] = messageIds
          if (first === undefined) return notify('The test sent no message: see the run of the event.')
          notify('The test is sent.')
          router.go(link('inbox', '', { userId: body.userId, message: first }))
        },
        sample,
      ),
    )
  }

  override render(): TemplateResult {
    const { value } = this.#loaded
    const { link } = this.context
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${link('campaigns')}>Campaigns</a></nav>
      ${
        value === undefined
          ? html`${pageHead('Campaign')} ${this.#loaded.state === 'failed' ? failureView(this.#loaded.error, () => void this.#load()) : loadingView()}`
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content({ campaign, current }: LoadedCampaign): TemplateResult {
    const { context } = this
    const hasChanges = current !== undefined && changesOf(current.definition, campaign.draft).length > 0
    return html`${pageHead(campaign.name, this.#summary(campaign, hasChanges), this.#actions(campaign, hasChanges))}
      ${pendingView(context, campaign, {
        approve: () => void this.#ask('approve'),
        decline: () => void this.#ask('decline'),
        withdraw: () => void this.#ask('withdraw'),
      })}
      <nc-publish ${ref(this.#publish)} .context=${context} .campaign=${campaign} @campaign-changed=${() => this.#load(true)}></nc-publish>
      ${tabsView(context, this.#tabs({ campaign, current }))}`
  }

  #tabs({ campaign, current }: LoadedCampaign): Tab[] {
    const { context } = this
    const asked = () => ({
      window: windowOf(context.query),
      channel: channelOf(context.query, campaign),
      campaignId: campaign.id,
    })
    return [
      {
        name: 'flow',
        label: 'Flow',
        content: () =>
          html`<nc-campaign-flow .context=${context} .campaign=${campaign} .current=${current} .about=${this.#about(campaign)}></nc-campaign-flow>`,
      },
      {
        name: 'funnel',
        label: 'Funnel',
        content: () =>
          html`<nc-funnel .context=${context} .campaign=${campaign}></nc-funnel>
            <nc-not-sent .context=${context} .asked=${asked()}></nc-not-sent>`,
      },
      {
        name: 'messages',
        label: 'Messages',
        isKept: true,
        content: () =>
          html`<nc-draft-preview .context=${context} .campaign=${campaign} @send-test=${({ sample }: SendTest) => this.#test(campaign, sample)}></nc-draft-preview>`,
      },
      {
        name: 'versions',
        label: 'Versions',
        content: () =>
          html`<nc-versions .context=${context} .campaign=${campaign} @campaign-changed=${() => this.#load(true)}></nc-versions>`,
      },
    ]
  }

  #about(campaign: CampaignAnswer): TemplateResult {
    return html`${facts([
      ['Key', copyable(campaign.key, 'key')],
      ['ID', copyable(campaign.id, 'campaign ID')],
      ['Starts with', html`<code>${eventOf(campaign.draft)}</code>`],
      ['Category', campaign.category],
      ['Changed', age(campaign.updatedAt)],
    ])}
      <div class="card-foot"><a class="link" href=${this.context.link('inbox', '', { campaignId: campaign.id })}>See its deliveries</a>
      ${this.context.may('editor') ? html`<a class="link" href=${this.context.link('new-campaign', '', { from: 'duplicate', campaign: campaign.id })}>Duplicate it</a>` : nothing}</div>`
  }

  #summary({ id, status, currentVersion, pendingPublish }: CampaignAnswer, hasChanges: boolean): TemplateResult {
    return html`${badge(status)} ${currentVersion === null ? '' : tag(`Version ${currentVersion}`)}
    ${hasChanges ? tag('Draft has changes') : ''} ${pendingPublish?.state === 'waiting' ? badge('waits for approval', 'warn') : ''} ${doubtBadge(this.context, 'campaign', id)}`
  }

  #actions(campaign: CampaignAnswer, hasChanges: boolean): TemplateResult {
    const mayChange = this.context.may('editor')
    if (!mayChange) return html`<p class="hint">Your role may look, and not change.</p>`
    const actions = actionsOf(campaign, hasChanges)
    const editor = this.context.link('campaign-editor', campaign.id)
    return html`${campaign.status === 'archived' ? nothing : html`<wa-button size="s" appearance="outlined" href=${editor}>${icon('pen', 'start')}Edit</wa-button>`}
      <wa-button size="s" appearance="outlined" @click=${() => this.#test(campaign)}>${icon('send', 'start')}Send a test</wa-button>
      ${actions.map(
        (action) =>
          html`<wa-button
            size="s"
            appearance=${action === 'publish' || action === 'resume' ? 'accent' : 'outlined'}
            variant=${action === 'publish' || action === 'resume' ? 'brand' : 'neutral'}
            @click=${() => (action === 'publish' ? void this.#ask('ask') : this.#change(action, campaign))}
            >${icon(ACTION_ICONS[action], 'start')}${action === 'publish' ? publishLabel(this.context, campaign) : toWords(action)}</wa-button
          >`,
      )}`
  }
}

customElements.define('nc-campaign', NcCampaign)
