"""The first campaign of the README, by a client that openapi-python-client makes of the reference."""

import os
import sys
import time

from outreach_client import AuthenticatedClient
from outreach_client.api.campaigns import (
    campaigns_control,
    campaigns_create,
    campaigns_update_settings,
    recipients_get_stats,
    recipients_manage,
    sequences_manage,
)
from outreach_client.api.mailboxes import mailboxes_connect
from outreach_client.models import (
    CampaignsControlLaunch,
    CampaignsCreateBody,
    MailboxesConnectSmtpConnect,
    RecipientsManageAddManual,
    SequencesManageReplaceSteps,
    SettingsPatch,
)

env = os.environ
client = AuthenticatedClient(base_url=f"{env['API_URL']}/api/v1", token=env["API_KEY"], raise_on_unexpected_status=True)


def answer_of(response):
    """The parsed answer, or an error with what was refused."""
    if response.status_code >= 400:
        raise RuntimeError(response.content.decode())
    return response.parsed


mailbox = answer_of(
    mailboxes_connect.sync_detailed(
        client=client,
        body=MailboxesConnectSmtpConnect.from_dict(
            {
                "action": "smtpConnect",
                "credentials": {
                    "email": env["MAILBOX"],
                    "password": env["PASSWORD"],
                    "name": "Ann",
                    "smtpHost": "localhost",
                    "smtpPort": int(env["SMTP_PORT"]),
                    "imapHost": "localhost",
                    "imapPort": int(env["IMAP_PORT"]),
                    "security": "SSL_TLS",
                },
            }
        ),
    )
)
campaign = answer_of(campaigns_create.sync_detailed(client=client, body=CampaignsCreateBody(name="First, in Python", goal="Meetings")))
settings = SettingsPatch.from_dict(
    {
        "mailboxIds": [mailbox.id],
        "timezone": "UTC",
        "windows": [{"days": [1, 2, 3, 4, 5, 6, 7], "from": "00:00", "to": "24:00"}],
        "minGapSeconds": 1,
        "maxGapSeconds": 2,
    }
)
answer_of(campaigns_update_settings.sync_detailed(campaign.id, client=client, body=settings))
steps = SequencesManageReplaceSteps.from_dict(
    {
        "action": "replaceSteps",
        "steps": [
            {"subject": 'A question, {{ firstName | default: "friend" }}', "bodyText": "{Hi|Hello}, shall we talk?"},
            {"delay": {"value": 1, "unit": "MINUTES"}, "bodyText": "Did you see my last mail?"},
        ],
    }
)
answer_of(sequences_manage.sync_detailed(campaign.id, client=client, body=steps))
emails = [f"{name}@{env['DOMAIN']}" for name in ("reply.rosa", "unsub.ugo", "hard.hans", "dora")]
people = RecipientsManageAddManual(action="addManual", emails=emails)
answer_of(recipients_manage.sync_detailed(campaign.id, client=client, body=people))
launched = answer_of(campaigns_control.sync_detailed(campaign.id, client=client, body=CampaignsControlLaunch(action="launch")))
assert launched.launched

end = time.time() + 60
while time.time() < end:
    counts = answer_of(recipients_get_stats.sync_detailed(campaign.id, client=client)).by_status.to_dict()
    if all(counts[status] == 1 for status in ("IN_PROGRESS", "REPLIED", "BOUNCED", "UNSUBSCRIBED")):
        sys.exit(0)
    time.sleep(0.5)
raise RuntimeError("The campaign did not end as the README says")
