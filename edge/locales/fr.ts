// Holds the words of mails and of pages behind their links, in French.

import type { EdgeWords } from './words.ts'

export const fr: EdgeWords = {
  footer: {
    why: 'Vous recevez cet e-mail en raison de vos préférences de notification.',
    stop: 'Se désabonner',
    preferences: 'Préférences',
    always: 'Ceci est un message important. Les e-mails de ce type ne peuvent pas être désactivés.',
  },
  links: {
    broken: [
      'Ce lien ne fonctionne pas',
      'Il a peut-être été coupé ou modifié en route. Ouvrez-le à nouveau depuis l’e-mail.',
    ],
    gone: ['Cet e-mail n’est plus connu', 'Il n’y a plus rien à désabonner.'],
    critical: [
      'Ces e-mails ne peuvent pas être désactivés',
      'Ils contiennent ce que vous devez savoir, par exemple sur votre compte.',
    ],
    ask: 'Se désabonner ?',
    stop: 'Se désabonner',
    done: 'Vous êtes désabonné',
    noMore: 'Vous ne recevrez plus d’e-mails concernant « {} ».',
    noMoreOfAll: 'Vous ne recevrez plus d’e-mails, sauf les plus importants.',
    again: 'Se réabonner',
    back: 'Vous êtes de nouveau abonné',
    more: 'Vous recevez les e-mails concernant « {} » comme avant.',
    moreOfAll: 'Vous recevez les e-mails comme avant.',
    yours: 'Les e-mails que vous recevez',
    others: 'Autres messages',
    always: 'Toujours envoyé',
  },
  account: {
    invitation: {
      subject: 'Invitation à rejoindre {organisation}',
      title: 'Vous êtes invité',
      text: '{by} vous invite à rejoindre {organisation} avec le rôle {role}.',
      textOfOperator: 'Vous êtes invité à rejoindre {organisation} avec le rôle {role}.',
      button: 'Accepter l’invitation',
      until: 'Le lien fonctionne une seule fois, pendant sept jours.',
      ignore: 'Si vous n’attendiez pas cette invitation, ignorez cet e-mail.',
    },
    reset: {
      title: 'Définir un nouveau mot de passe',
      text: 'Un nouveau mot de passe a été demandé pour votre compte {email}.',
      until: 'Le lien fonctionne une seule fois, pendant une heure.',
      ignore: 'Si ce n’était pas vous, ignorez cet e-mail. Votre mot de passe reste inchangé.',
    },
    changes: {
      password: 'Votre mot de passe a été modifié',
      'totp-on': 'Les codes à usage unique ont été activés',
      'totp-off': 'Les codes à usage unique ont été désactivés',
      'passkey-added': 'Une clé d’accès a été ajoutée',
      'passkey-removed': 'Une clé d’accès a été supprimée',
      'passkeys-removed': 'Toutes les clés d’accès ont été supprimées',
    },
    changed: {
      text: 'Ce changement concerne votre compte {email}.',
      otherwise:
        'Si ce n’était pas vous, définissez immédiatement un nouveau mot de passe, faites-y supprimer vos clés d’accès et prévenez un owner de votre organisation.',
    },
    ending: {
      subject: 'Une ancienne clé de {environment} expire bientôt',
      title: 'Une ancienne valeur expire bientôt',
      text: 'L’ancienne valeur de {kind} dans {environment} expire le {endsAt}. Elle sera ensuite refusée.',
      used: 'Sa dernière utilisation date du {lastUsedAt} : donnez la nouvelle valeur à ses utilisateurs ou prolongez la transition.',
      unused: 'Elle n’a pas été utilisée depuis la création de la nouvelle valeur.',
      next: 'Cet e-mail est envoyé une seule fois par valeur.',
      button: 'Ouvrir les secrets',
    },
    approval: {
      subject: '{by} demande à publier « {campaign} » dans {environment}',
      title: 'Une campagne attend une approbation',
      text: '{by} demande à publier « {campaign} » dans {environment}. Une deuxième personne doit l’approuver, par exemple vous.',
      note: 'Sa note : {note}',
      until: 'D’ici là, rien ne change pour vos utilisateurs.',
      button: 'Voir la campagne',
    },
  },
}
