// Holds the words of mails and of pages behind their links, in Portuguese.

import type { EdgeWords } from './words.ts'

export const pt: EdgeWords = {
  footer: {
    why: 'Você recebe este e-mail por causa das suas preferências de notificação.',
    stop: 'Cancelar inscrição',
    preferences: 'Preferências',
    always: 'Esta é uma mensagem importante. E-mails deste tipo não podem ser desativados.',
  },
  links: {
    broken: [
      'Este link não funciona',
      'Ele pode ter sido cortado ou alterado no caminho. Abra-o novamente a partir do e-mail.',
    ],
    gone: ['Este e-mail já não é conhecido', 'Não há mais nada para cancelar.'],
    critical: [
      'Estes e-mails não podem ser desativados',
      'Eles contêm o que você precisa saber, por exemplo sobre a sua conta.',
    ],
    ask: 'Cancelar a inscrição?',
    stop: 'Cancelar inscrição',
    done: 'Inscrição cancelada',
    noMore: 'Você não receberá mais e-mails sobre “{}”.',
    noMoreOfAll: 'Você não receberá mais e-mails, exceto os importantes.',
    again: 'Inscrever-se novamente',
    back: 'Inscrição ativa novamente',
    more: 'Você recebe e-mails sobre “{}” como antes.',
    moreOfAll: 'Você recebe e-mails como antes.',
    yours: 'Quais e-mails você recebe',
    others: 'Outras mensagens',
    always: 'Sempre enviado',
  },
  account: {
    invitation: {
      subject: 'Convite para {organisation}',
      title: 'Você recebeu um convite',
      text: '{by} convida você para entrar em {organisation} com a função {role}.',
      textOfOperator: 'Você foi convidado para entrar em {organisation} com a função {role}.',
      button: 'Aceitar o convite',
      until: 'O link funciona uma única vez, durante sete dias.',
      ignore: 'Se você não esperava este convite, ignore este e-mail.',
    },
    reset: {
      title: 'Definir uma nova senha',
      text: 'Alguém pediu uma nova senha para a sua conta {email}.',
      until: 'O link funciona uma única vez, durante uma hora.',
      ignore: 'Se não foi você, ignore este e-mail. A sua senha continua a mesma.',
    },
    changes: {
      password: 'A sua senha foi alterada',
      'totp-on': 'Os códigos de uso único foram ativados',
      'totp-off': 'Os códigos de uso único foram desativados',
      'passkey-added': 'Uma chave de acesso foi adicionada',
      'passkey-removed': 'Uma chave de acesso foi removida',
      'passkeys-removed': 'Todas as chaves de acesso foram removidas',
    },
    changed: {
      text: 'Esta alteração foi feita na sua conta {email}.',
      otherwise:
        'Se não foi você, defina imediatamente uma nova senha, remova ali as suas chaves de acesso e avise um owner da sua organização.',
    },
    ending: {
      subject: 'Uma chave antiga de {environment} expira em breve',
      title: 'Um valor antigo expira em breve',
      text: 'O valor antigo de {kind} em {environment} expira em {endsAt}. Depois disso, ele é recusado.',
      used: 'Ele foi usado pela última vez em {lastUsedAt}: forneça o novo valor a quem o usa ou prolongue a transição.',
      unused: 'Ele não foi usado desde que o novo valor existe.',
      next: 'Este e-mail é enviado uma única vez por valor.',
      button: 'Abrir os segredos',
    },
    approval: {
      subject: '{by} pede para publicar “{campaign}” em {environment}',
      title: 'Uma campanha aguarda aprovação',
      text: '{by} pede para publicar “{campaign}” em {environment}. Uma segunda pessoa precisa aprovar, por exemplo você.',
      note: 'A nota diz: {note}',
      until: 'Até lá, nada muda para os seus usuários.',
      button: 'Ver a campanha',
    },
  },
}
