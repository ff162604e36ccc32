"""The settings of a session, told and changed. What is changed counts from the next session on, but for the screen's."""

from __future__ import annotations

from functools import partial

import anyio.to_thread

from agent_tui.engine.foundation import Foundation
from agent_tui.engine.ruling import flag_anchor
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.preferences import PreferenceList, Preferences, SetPreference, SettingRow
from agent_tui.protocol.queries import Failed, Reply
from agent_tui.settings.described import described, own_file, put
from agent_tui.settings.layers import FlagSettings, load, read_files


class Preferring:
    """Tells of the settings where a session works.

    Args:
        base: what the session stands on.
    """

    def __init__(self, base: Foundation) -> None:
        self._base = base

    async def answer(self, query: Preferences | SetPreference) -> Reply:
        """Answer a front end's query."""
        try:
            if isinstance(query, SetPreference):
                await self.put(query.key, query.value)
            return await self.listed()
        except SettingsError as error:
            return Failed(str(error))

    async def listed(self) -> PreferenceList:
        """Give them as the files say now.

        Raises:
            SettingsError: a file can't be read.
        """
        return await anyio.to_thread.run_sync(self._listed)

    async def put(self, key: str, value: object) -> None:
        """Write one into the person's own file; None takes it out.

        Raises:
            SettingsError: it can't have this value, another file decides, or the file can't be written.
        """
        row = next((row for row in (await self.listed()).rows if row.key == key), None)
        if row is not None and row.locked:
            raise SettingsError(f"{key} is decided by {row.place}")
        await anyio.to_thread.run_sync(partial(put, self._base.env, key, value))

    def _listed(self) -> PreferenceList:
        base = self._base
        options, trusted = base.options, base.standing.trusted
        flag = FlagSettings(options.settings, options.settings_path, flag_anchor(options))
        where = (base.env, base.project, options.setting_sources)
        layers = load(*where, flag=flag, trusted=trusted)
        files = read_files(*where, flag=flag, trusted=trusted)
        return PreferenceList(described(layers, files), str(own_file(base.env)))


def row_text(row: SettingRow) -> str:
    """Write a setting on one line, for those without a screen."""
    value = "not set" if row.value is None else f"{row.value}"
    where = f"  ({row.place})" if row.place else ""
    about = f"  {row.about}" if row.about else ""
    return f"{row.key}: {value}{where}{about}"
