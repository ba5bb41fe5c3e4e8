// The settings of the user, in the panel. A lazy part.

import { EN_SETTINGS } from '../../../locales/en-settings.ts'
import type { I18n } from '../../i18n.ts'
import { Preferences, type PreferencesOptions } from './preferences.ts'
import { NcSettings } from './settings-view.ts'

export interface SettingsOptions extends PreferencesOptions {
  i18n: Pick<I18n, 'learn'>
}

/** @returns what <nc-settings> shows */
export function createSettings({ i18n, ...options }: SettingsOptions): Preferences {
  NcSettings.register('nc-settings')
  i18n.learn(EN_SETTINGS)
  return new Preferences(options)
}
