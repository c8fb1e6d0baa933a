"""fastmcp knows the address of the tool server and nothing else."""
import asyncio
import sys
import webbrowser

import fastmcp

webbrowser.open = lambda address, *args, **kwargs: print(address, flush=True) or True


async def main():
    async with fastmcp.Client(f"{sys.argv[1]}/mcp", auth="oauth") as client:
        tools = await client.list_tools()
        answer = await client.call_tool("leads_search", {})
        assert "items" in answer.content[0].text, answer
        print(f"connected by OAuth, {len(tools)} tools, one called")


asyncio.run(main())
