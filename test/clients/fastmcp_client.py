"""fastmcp knows the address of the tool server, and a key or nothing else."""
import asyncio
import sys
import webbrowser

import fastmcp

webbrowser.open = lambda address, *args, **kwargs: print(address, flush=True) or True


async def main():
    url, key = [*sys.argv[1:], None][:2]
    async with fastmcp.Client(f"{url}/mcp", auth=key or "oauth") as client:
        tools = await client.list_tools()
        answer = await client.call_tool("leads_search", {})
        assert "items" in answer.content[0].text, answer
        print(f"{len(tools)} tools, one called")


asyncio.run(main())
