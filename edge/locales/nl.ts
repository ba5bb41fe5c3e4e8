// Holds the words of mails and of pages behind their links, in Dutch.

import type { EdgeWords } from './words.ts'

export const nl: EdgeWords = {
  footer: {
    why: 'Je ontvangt deze e-mail vanwege je meldingsinstellingen.',
    stop: 'Afmelden',
    preferences: 'Voorkeuren',
    always: 'Dit is een belangrijk bericht. E-mails van deze soort kun je niet uitschakelen.',
  },
  links: {
    broken: [
      'Deze link werkt niet',
      'Misschien is hij onderweg afgebroken of veranderd. Open hem opnieuw vanuit de e-mail.',
    ],
    gone: ['Deze e-mail is niet meer bekend', 'Er is niets meer om je voor af te melden.'],
    critical: ['Deze e-mails kun je niet uitschakelen', 'Er staat in wat je moet weten, bijvoorbeeld over je account.'],
    ask: 'Afmelden?',
    stop: 'Afmelden',
    done: 'Je bent afgemeld',
    noMore: 'Je ontvangt geen e-mails meer over ‘{}’.',
    noMoreOfAll: 'Je ontvangt geen e-mails meer, behalve belangrijke.',
    again: 'Opnieuw aanmelden',
    back: 'Je bent weer aangemeld',
    more: 'Je ontvangt e-mails over ‘{}’ zoals voorheen.',
    moreOfAll: 'Je ontvangt e-mails zoals voorheen.',
    yours: 'Welke e-mails je krijgt',
    others: 'Andere berichten',
    always: 'Altijd verzonden',
  },
  account: {
    invitation: {
      subject: 'Uitnodiging voor {organisation}',
      title: 'Je bent uitgenodigd',
      text: '{by} nodigt je uit om lid te worden van {organisation}, met de rol {role}.',
      textOfOperator: 'Je bent uitgenodigd om lid te worden van {organisation}, met de rol {role}.',
      button: 'Uitnodiging accepteren',
      until: 'De link werkt één keer, zeven dagen lang.',
      ignore: 'Verwachtte je deze uitnodiging niet, negeer dan deze e-mail.',
    },
    reset: {
      title: 'Een nieuw wachtwoord instellen',
      text: 'Iemand heeft een nieuw wachtwoord aangevraagd voor je account {email}.',
      until: 'De link werkt één keer, een uur lang.',
      ignore: 'Was jij dit niet, negeer dan deze e-mail. Je wachtwoord blijft zoals het is.',
    },
    changes: {
      password: 'Je wachtwoord is gewijzigd',
      'totp-on': 'Eenmalige codes zijn ingeschakeld',
      'totp-off': 'Eenmalige codes zijn uitgeschakeld',
      'passkey-added': 'Er is een passkey toegevoegd',
      'passkey-removed': 'Er is een passkey verwijderd',
      'passkeys-removed': 'Alle passkeys zijn verwijderd',
    },
    changed: {
      text: 'Dit is gewijzigd in je account {email}.',
      otherwise:
        'Was jij dit niet, stel dan meteen een nieuw wachtwoord in, laat daarbij je passkeys verwijderen en waarschuw een owner van je organisatie.',
    },
    ending: {
      subject: 'Een oude sleutel van {environment} verloopt binnenkort',
      title: 'Een oude waarde verloopt binnenkort',
      text: 'De oude waarde van {kind} in {environment} verloopt op {endsAt}. Daarna wordt ze geweigerd.',
      used: 'Ze is het laatst gebruikt op {lastUsedAt}: geef de gebruikers ervan de nieuwe waarde of verleng de overlap.',
      unused: 'Ze is niet gebruikt sinds de nieuwe waarde bestaat.',
      next: 'Deze e-mail wordt één keer per waarde verstuurd.',
      button: 'Geheimen openen',
    },
    approval: {
      subject: '{by} vraagt om “{campaign}” in {environment} te publiceren',
      title: 'Een campagne wacht op goedkeuring',
      text: '{by} vraagt om “{campaign}” in {environment} te publiceren. Een tweede persoon moet dat goedkeuren, bijvoorbeeld jij.',
      note: 'De notitie: {note}',
      until: 'Tot dan verandert er niets voor je gebruikers.',
      button: 'Bekijken',
    },
  },
}
